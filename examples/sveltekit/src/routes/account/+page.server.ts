import { redirect } from '@sveltejs/kit'
import { AuthError, SessionRequired, StepUpRequired, Verification } from 'lib-auth/errors'
import { account, factors, protect, sessions } from '../../auth.server'
import type { Actions, PageServerLoad } from './$types'

export const load: PageServerLoad = async (event) => {
  await protect(event)
  const [accounts, secondFactors, devices] = await Promise.all([
    account.list(event),
    factors.list(event),
    sessions.list(event),
  ])
  const { searchParams } = event.url
  return {
    accounts: accounts ?? [],
    apps: secondFactors?.apps ?? [],
    recoveryCodesLeft: secondFactors?.recoveryCodesLeft ?? 0,
    devices: devices?.sessions ?? [],
    notice: searchParams.get('notice') ?? '',
    error: searchParams.get('error') ?? '',
  }
}

function show(what: { notice: string } | { error: string }): never {
  redirect(303, `/account?${new URLSearchParams(what)}`)
}

/** If the sign-in is too old, or lacks the second step, the user confirms who they are, and comes back. */
async function orConfirm<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof SessionRequired) redirect(303, error.url)
    if (error instanceof StepUpRequired) {
      const page = new URL(error.url)
      page.searchParams.set('callbackUrl', '/account?notice=confirmed')
      redirect(303, page.href)
    }
    if (error instanceof AuthError && !(error instanceof Verification)) show({ error: error.type })
    throw error
  }
}

async function readForm(request: Request) {
  const form = await request.formData()
  return (name: string) => String(form.get(name) ?? '')
}

export const actions = {
  link: (event) =>
    orConfirm(async () => {
      await account.link(event, 'demo', { redirectTo: '/account' })
    }),
  unlink: async (event) => {
    const field = await readForm(event.request)
    const key = { provider: field('provider'), providerAccountId: field('providerAccountId') }
    await orConfirm(() => account.unlink(event, key))
    show({ notice: 'unlinked' })
  },
  addApp: async (event) => {
    const { id, secret, qrCode } = await orConfirm(() => factors.enroll(event))
    return { app: { id, secret, qrCode }, isWrong: false }
  },
  // The form contains what it shows, so that it is shown again after a wrong code.
  confirmApp: async (event) => {
    const field = await readForm(event.request)
    const app = { id: field('id'), secret: field('secret'), qrCode: field('qrCode') }
    try {
      const confirmation = { id: app.id, code: field('code') }
      const { recoveryCodes } = await orConfirm(() => factors.confirm(event, confirmation))
      return { recoveryCodes: [...recoveryCodes] }
    } catch (error) {
      if (error instanceof Verification) return { app, isWrong: true }
      throw error
    }
  },
  removeApp: async (event) => {
    const field = await readForm(event.request)
    await orConfirm(() => factors.remove(event, field('id')))
    show({ notice: 'app' })
  },
  signOutDevice: async (event) => {
    const field = await readForm(event.request)
    await orConfirm(() => sessions.revoke(event, field('sid')))
    show({ notice: 'device' })
  },
  signOutElsewhere: async (event) => {
    await orConfirm(() => sessions.revokeOthers(event))
    show({ notice: 'elsewhere' })
  },
  delete: async (event) => {
    await orConfirm(() => account.remove(event))
    redirect(303, '/')
  },
} satisfies Actions
