/** Bodies that other parsers of Express have read, and sign-ins that do not redirect. */
import express from 'express'
import express4 from 'express-4'
import { afterAll, describe, expect, test } from 'vitest'
import ExpressLib from '../../src/frameworks/express/index.ts'
import { CredentialsSignin } from '../../src/errors.ts'
import { nameOf, siteConfig } from './conformance/site.ts'
import type { RunningSite } from './conformance/site.ts'
import { rawClient } from './raw-client.ts'
import type { RawClient } from './raw-client.ts'
import { route } from './servers/express.ts'
import { listen } from './servers/listen.ts'

const ends: (() => unknown)[] = []
afterAll(async () => void (await Promise.all(ends.map(async (end) => end()))))

async function running(starting: Promise<RunningSite>): Promise<string> {
  const { origin, stop } = await starting
  ends.push(stop)
  return origin
}

function client(...args: Parameters<typeof rawClient>): RawClient {
  const user = rawClient(...args)
  ends.push(() => user.close())
  return user
}

async function enter(user: RawClient): Promise<void> {
  const form = { csrfToken: await user.csrfToken(), username: 'ada', password: 'right' }
  await user.send('/auth/callback/credentials', { form })
}

describe.each([
  ['Express 5', express],
  ['Express 4', express4],
])('%s', (_name, create) => {
  test.each([
    ['text', create.text({ type: '*/*' })],
    ['raw', create.raw({ type: '*/*' })],
  ])('accepts a body that express.%s has read', async (_parser, parser) => {
    const lib = ExpressLib(siteConfig().config)
    const app = create()
    app.use(parser, lib.handler)
    app.get(
      '/me',
      route(async (req, res) => res.json(await lib.auth(req, res))),
    )
    const user = client(await running(listen(app)))
    await enter(user)
    expect(nameOf(await user.send('/me'))).toBe('User ada')
    const json = { csrfToken: await user.csrfToken(), username: 'grace', password: 'right' }
    await user.send('/auth/callback/credentials', { json })
    expect(nameOf(await user.send('/me'))).toBe('User grace')
  })

  test('answers 400 to a body that was read and not kept, and names the cause in the log', async () => {
    const { config, log } = siteConfig()
    const app = create()
    app.use((req, _res, next) => void req.resume().on('end', () => next()))
    app.use(ExpressLib(config).handler)
    const user = client(await running(listen(app)))
    const form = { csrfToken: await user.csrfToken(), username: 'ada', password: 'right' }
    const answer = await user.send('/auth/callback/credentials', { form })
    expect(answer.status).toBe(400)
    expect(log.errors.map(String).join()).toContain('The request body was already consumed')
  })

  test('returns the URL of a sign-in with redirect: false, and redirects nothing', async () => {
    const lib = ExpressLib(siteConfig().config)
    const app = create()
    const signIn = route(async (req, res) => {
      try {
        const options = { ...req.body, redirect: false, redirectTo: '/page' }
        const url = await lib.signIn(req, res, 'credentials', options)
        res.json({ url })
      } catch (error) {
        res.status(401).json({ code: error instanceof CredentialsSignin ? error.code : null })
      }
    })
    app.post('/login', create.json(), signIn)
    app.get(
      '/me',
      route(async (req, res) => res.json(await lib.auth(req, res))),
    )
    const origin = await running(listen(app))
    const user = client(origin)
    const wrong = await user.send('/login', { json: { username: 'ada', password: 'wrong' } })
    expect([wrong.status, wrong.body]).toEqual([401, '{"code":"credentials"}'])
    const right = await user.send('/login', { json: { username: 'ada', password: 'right' } })
    expect([right.status, right.body]).toEqual([200, JSON.stringify({ url: `${origin}/page` })])
    expect(nameOf(await user.send('/me'))).toBe('User ada')
  })
})
