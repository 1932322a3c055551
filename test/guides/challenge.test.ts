/** docs/guides/challenge.md */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import express from 'express'
import type { Router } from 'express'
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import MemoryAdapter from '../../src/adapters/memory.ts'
import { browser } from '../../src/testing/index.ts'
import type { AuthConfig } from '../../src/index.ts'
import type { ProtectionOptions } from '../../src/types.ts'
import { SECRET } from '../config.ts'
import { openGuide, stubGuideEnvironment } from './guide.ts'

const guide = openGuide('challenge')

beforeAll(stubGuideEnvironment)
afterAll(() => void vi.unstubAllEnvs())

test('the sign-in page asks for a challenge after 20 failures, and accepts its answer', async () => {
  vi.spyOn(console, 'info').mockReturnValue()
  onTestFinished(() => void vi.restoreAllMocks())
  const { signin } = await guide.load<{ signin: Router }>('signin.ts')
  const server = createServer(express().use(signin)).listen(0, '127.0.0.1')
  onTestFinished(() => void server.close())
  await vi.waitFor(() => expect(server.listening).toBe(true), { timeout: 60_000 })
  const page = `http://127.0.0.1:${(server.address() as AddressInfo).port}/signin`
  const post = async (fields: Record<string, string>) => {
    const body = new URLSearchParams({ email: 'ada@example.com', ...fields })
    const headers = { origin: 'https://app.test' }
    const { headers: sent } = await fetch(page, {
      method: 'POST',
      body,
      headers,
      redirect: 'manual',
    })
    return sent.get('location')
  }
  vi.useFakeTimers({ toFake: ['Date'] })
  onTestFinished(() => void vi.useRealTimers())
  for (let count = 0; count < 20; count++) {
    expect(await post({ password: 'wrong' })).toBe('/signin?error=CredentialsSignin')
    vi.setSystemTime(Date.now() + 15 * 60 * 1000)
  }
  const refused = '/signin?error=ChallengeRequired'
  expect(await post({ password: 'example' })).toBe(refused)
  expect(await post({ password: 'example', challenge: '5' })).toBe(refused)
  expect(await (await fetch(new URL(refused, page))).text()).toContain('name="challenge"')
  expect(await (await fetch(page)).text()).not.toContain('name="challenge"')
  expect(await post({ password: 'example', challenge: '4' })).toBe('https://app.test/')
})

test('no mail is sent without a solved challenge', async () => {
  vi.stubEnv('TURNSTILE_SECRET', 'a secret')
  const asked: string[] = []
  vi.stubGlobal('fetch', async (_url: string, { body }: { body: URLSearchParams }) => {
    asked.push(`${body.get('secret')}: ${body.get('response')}`)
    return Response.json({ success: body.get('response') === 'solved' })
  })
  onTestFinished(() => void vi.unstubAllGlobals())
  const { onAttempt } = await guide.load<Required<ProtectionOptions>>('before-mail.ts')
  const mails: string[] = []
  const send = ({ identifier }: { identifier: string }) => void mails.push(identifier)
  const config: AuthConfig = {
    providers: [{ id: 'mail', name: 'E-mail', type: 'email', sendVerificationRequest: send }],
    secret: SECRET,
    trustHost: true,
    adapter: MemoryAdapter(),
    protection: { onAttempt },
  }
  const request = async (fields: object) => {
    const tab = browser(config)
    const email = 'ada@example.com'
    return (await tab.post('signin/mail', { email, ...fields })).headers.get('location')
  }
  expect(await request({})).toContain('error=ChallengeRequired')
  expect(await request({ challenge: 'guessed' })).toContain('error=ChallengeRequired')
  expect(mails).toEqual([])
  expect(await request({ challenge: 'solved' })).toContain('verify-request')
  expect(mails).toEqual(['ada@example.com'])
  expect(asked).toEqual(['a secret: guessed', 'a secret: solved'])
})
