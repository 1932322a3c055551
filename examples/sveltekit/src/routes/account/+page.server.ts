import { redirect } from '@sveltejs/kit'
import { account, adapter, factors, passkeys, password, protect, sessions } from '../../auth.server'
import { attempt, show, submit } from './attempt'
import type { Actions, PageServerLoad } from './$types'

export const load: PageServerLoad = async (event) => {
  const { user } = await protect(event)
  const [stored, accounts, keys, secondFactors, passwordInfo, pendingEmail, devices] =
    await Promise.all([
      // The session has the address of the last sign-in.
      adapter.getUser(user?.id ?? ''),
      account.list(event),
      passkeys.list(event),
      factors.list(event),
      password.info(event),
      account.pendingEmail(event),
      sessions.list(event),
    ])
  const { searchParams } = event.url
  return {
    email: stored?.email ?? '',
    accounts: accounts ?? [],
    passkeys: keys,
    apps: secondFactors?.apps ?? [],
    recoveryCodesLeft: secondFactors?.recoveryCodesLeft ?? 0,
    passwordChanged: passwordInfo?.changed ?? null,
    pendingEmail,
    devices: devices?.sessions ?? [],
    notice: searchParams.get('notice') ?? '',
    error: searchParams.get('error') ?? '',
    // The address that was typed in before the user had to confirm who they are.
    to: searchParams.get('to') ?? '',
  }
}

async function readForm(request: Request) {
  const form = await request.formData()
  return (name: string) => String(form.get(name) ?? '')
}

export const actions = {
  link: (event) =>
    attempt(async () => {
      await account.link(event, 'demo', { redirectTo: '/account?notice=linked' })
    }),
  unlink: async (event) => {
    const field = await readForm(event.request)
    const key = { provider: field('provider'), providerAccountId: field('providerAccountId') }
    await attempt(() => account.unlink(event, key))
    show({ notice: 'unlinked' })
  },
  renamePasskey: async (event) => {
    const field = await readForm(event.request)
    const renamed = await attempt(() => passkeys.rename(event, field('id'), field('name')))
    show({ notice: renamed ? 'renamed' : 'missing' })
  },
  removePasskey: async (event) => {
    const field = await readForm(event.request)
    const removed = await attempt(() => passkeys.remove(event, field('id')))
    return removed ? { removedPasskey: removed.credentialID } : show({ notice: 'missing' })
  },
  addApp: async (event) => {
    const { id, secret, qrCode } = await attempt(() => factors.enroll(event))
    return { app: { id, secret, qrCode } }
  },
  // The form contains what it shows, so that it is shown again after a wrong code.
  confirmApp: async (event) => {
    const field = await readForm(event.request)
    const app = { id: field('id'), secret: field('secret'), qrCode: field('qrCode') }
    const confirmation = { id: app.id, code: field('code') }
    const { value, problem } = await submit(() => factors.confirm(event, confirmation))
    return value ? { recoveryCodes: [...value.recoveryCodes] } : { app, codeProblem: problem }
  },
  renewCodes: async (event) => ({
    recoveryCodes: [...(await attempt(() => factors.renewRecoveryCodes(event)))],
  }),
  removeApp: async (event) => {
    const field = await readForm(event.request)
    await attempt(() => factors.remove(event, field('id')))
    show({ notice: 'app' })
  },
  changePassword: async (event) => {
    const form = await event.request.formData()
    const { problem } = await submit(() => password.change(event, form))
    return problem ? { passwordProblem: problem } : show({ notice: 'password' })
  },
  removePassword: async (event) => {
    await attempt(() => password.remove(event))
    show({ notice: 'no-password' })
  },
  changeEmail: async (event) => {
    const to = (await readForm(event.request))('to')
    const returnTo = `/account?${new URLSearchParams({ notice: 'confirmed', to })}`
    const { problem } = await submit(() => account.changeEmail(event, to), returnTo)
    return problem ? { emailProblem: problem, to } : show({ notice: 'sent' })
  },
  sendLinksAgain: async (event) => {
    const field = await readForm(event.request)
    await attempt(() => account.changeEmail(event, field('to')))
    show({ notice: 'sent-again' })
  },
  cancelEmail: async (event) => {
    await attempt(() => account.cancelEmail(event))
    show({ notice: 'cancelled' })
  },
  signOutDevice: async (event) => {
    const field = await readForm(event.request)
    await attempt(() => sessions.revoke(event, field('sid')))
    show({ notice: 'device' })
  },
  signOutElsewhere: async (event) => {
    await attempt(() => sessions.revokeOthers(event))
    show({ notice: 'elsewhere' })
  },
  delete: async (event) => {
    await attempt(() => account.remove(event))
    redirect(303, '/')
  },
} satisfies Actions
