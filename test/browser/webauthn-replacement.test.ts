/** Requests of one page at the same time: browsers run one, and some reject another before the first has ended. */
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { register, signIn } from '../../src/browser/webauthn/index.ts'
import { answer, assertion, closePage, create, get, openPage, page } from './passkey-page.ts'

const stay = { redirect: false } as const

/** How long the browser takes to end a request that was aborted, in milliseconds. */
const LATENCY = 30

let isBusy = false

/** Rejects while the browser is busy; else runs until the request is aborted. */
async function pendingRequest({ signal }: CredentialRequestOptions): Promise<never> {
  if (isBusy) throw new DOMException('A request is already pending.', 'OperationError')
  isBusy = true
  return new Promise((_resolve, reject) => {
    signal?.addEventListener('abort', () =>
      setTimeout(() => {
        isBusy = false
        reject(new DOMException('', 'AbortError'))
      }, LATENCY),
    )
  })
}

async function promptRequest(): Promise<unknown> {
  if (isBusy) throw new DOMException('A request is already pending.', 'OperationError')
  return assertion
}

beforeEach(() => {
  openPage()
  isBusy = false
  get.mockImplementation(pendingRequest)
  const attest = create.getMockImplementation()
  create.mockImplementation(async (options) => {
    await promptRequest()
    return attest?.(options)
  })
})
afterEach(closePage)

const startAutofill = () => signIn('passkey', { ...stay, autofill: true })

describe('a request that begins while autofill is offered', () => {
  test('waits until the browser has ended the autofill', async () => {
    const autofill = startAutofill()
    await vi.waitFor(() => expect(isBusy).toBe(true), { timeout: 20_000 })
    expect((await register('passkey', stay)).error).toBeUndefined()
    expect(await autofill).toMatchObject({ code: 'replaced' })
  })

  test('ends autofill whose options have not arrived', async () => {
    let respond = () => {}
    vi.stubGlobal('fetch', async (url: string, init?: RequestInit) => {
      if (url.includes('action=authenticate'))
        await new Promise<void>((resolve) => {
          respond = resolve
        })
      return answer(url, init)
    })
    const autofill = startAutofill()
    await vi.waitFor(() => expect(respond.length).toBe(1), { timeout: 20_000 })
    expect((await register('passkey', stay)).error).toBeUndefined()
    respond()
    expect(await autofill).toMatchObject({ code: 'replaced' })
    expect(get).not.toHaveBeenCalled()
  })

  test('ends autofill whose support the browser has not confirmed', async () => {
    let confirm = () => {}
    const isConditionalMediationAvailable = vi
      .fn<() => Promise<boolean>>()
      .mockResolvedValueOnce(true)
      .mockImplementation(
        () =>
          new Promise((resolve) => {
            confirm = () => resolve(true)
          }),
      )
    vi.stubGlobal(
      'PublicKeyCredential',
      Object.assign(vi.fn(), { isConditionalMediationAvailable }),
    )
    const autofill = startAutofill()
    await vi.waitFor(() => expect(isConditionalMediationAvailable).toHaveBeenCalledTimes(2), {
      timeout: 20_000,
    })
    const registration = register('passkey', stay)
    setTimeout(() => confirm(), 2 * LATENCY)
    expect((await registration).error).toBeUndefined()
    expect(await autofill).toMatchObject({ code: 'replaced' })
    expect(create).toHaveBeenCalledOnce()
  })

  test('begins after a second if a password manager ignores that the autofill was aborted', async () => {
    get.mockImplementation(() => new Promise(() => {}))
    void startAutofill()
    await vi.waitFor(() => expect(get).toHaveBeenCalled(), { timeout: 20_000 })
    vi.useFakeTimers()
    const registration = register('passkey', stay)
    await vi.advanceTimersByTimeAsync(900)
    expect(create).not.toHaveBeenCalled()
    await vi.advanceTimersByTimeAsync(200)
    expect((await registration).error).toBeUndefined()
  })
})

test('of three requests, the last one is run', async () => {
  get.mockImplementationOnce(pendingRequest).mockImplementation(promptRequest)
  const first = signIn('passkey', stay)
  await vi.waitFor(() => expect(isBusy).toBe(true), { timeout: 20_000 })
  const second = signIn('passkey', stay)
  await vi.waitFor(() => expect(page.requests).toHaveLength(2), { timeout: 20_000 })
  const third = signIn('passkey', stay)
  expect(await first).toMatchObject({ code: 'replaced' })
  expect(await second).toMatchObject({ code: 'replaced' })
  expect((await third).error).toBeUndefined()
  expect(get).toHaveBeenCalledTimes(2)
})

test('autofill does not begin while another request runs', async () => {
  const request = signIn('passkey', stay)
  await vi.waitFor(() => expect(isBusy).toBe(true), { timeout: 20_000 })
  expect(await startAutofill()).toMatchObject({ code: 'replaced' })
  expect(get).toHaveBeenCalledOnce()
  get.mockImplementation(promptRequest)
  expect((await signIn('passkey', stay)).error).toBeUndefined()
  await request
})
