/** Compiled, never run: valid code of applications on each server framework, and the resulting types. */
import type { Actions, RequestEvent } from '@sveltejs/kit'
import express from 'express'
import Fastify from 'fastify'
import type { FastifyRequest } from 'fastify'
import { Hono } from 'hono'
import type { Context } from 'hono'
import type { ActionFunctionArgs, LoaderFunctionArgs, RouterContextProvider } from 'react-router'
import { expectTypeOf } from 'vitest'
import ExpressLib from '../../src/frameworks/express/index.ts'
import FastifyLib from '../../src/frameworks/fastify/index.ts'
import HonoLib from '../../src/frameworks/hono/index.ts'
import type { Session, SessionOf } from '../../src/index.ts'
import NodeLib from '../../src/frameworks/node/index.ts'
import type { RouteArgs } from '../../src/frameworks/react-router/index.ts'
import ReactRouterLib from '../../src/frameworks/react-router/index.ts'
import NuxtLib from '../../src/frameworks/nuxt/index.ts'
import type { ServerEvent } from '../../src/frameworks/nuxt/index.ts'
import GitHub from '../../src/providers/github.ts'
import SvelteKitLib, { SvelteKitAuth } from '../../src/frameworks/sveltekit/index.ts'
import type { RejectedSignIn } from '../../src/frameworks/sveltekit/index.ts'

interface AppSession extends Session {
  role: 'admin' | 'user'
}

const callbacks = {
  session: ({ session }: { session: Session }): AppSession => ({ ...session, role: 'user' }),
}
const config = { providers: [GitHub], callbacks }

export function expressApplication(): void {
  const lib = ExpressLib(config)
  expectTypeOf<SessionOf<typeof lib.auth>>().toEqualTypeOf<AppSession>()
  const app = express()
  app.use(lib.handler)
  app.use(lib.session)
  app.get('/users/:id', lib.protect(), (req, res) => {
    expectTypeOf(req.params['id']).toEqualTypeOf<string | undefined>()
    expectTypeOf(res.locals.session).toEqualTypeOf<AppSession>()
  })
  app.get('/admin', lib.protect({ allow: ({ role }) => role === 'admin' }))
  // @ts-expect-error a role that does not exist
  lib.protect({ allow: ({ role }) => role === 'owner' })
  // @ts-expect-error not a configuration
  ExpressLib({ providers: [GitHub], sesion: {} })
  const lazy = ExpressLib((req) => {
    expectTypeOf(req).toEqualTypeOf<express.Request>()
    return config
  })
  expectTypeOf<SessionOf<typeof lazy.auth>>().toEqualTypeOf<AppSession>()
}

export function fastifyApplication(): void {
  const lib = FastifyLib(config)
  const app = Fastify()
  app.register(lib.plugin)
  app.addHook('preHandler', lib.protect())
  app.addHook('preHandler', async (request) => {
    expectTypeOf(await request.auth()).toEqualTypeOf<Session | null>()
    expectTypeOf(await lib.auth(request)).toEqualTypeOf<AppSession | null>()
  })
  FastifyLib({
    providers: [GitHub],
    callbacks: {
      authorized({ request, auth }) {
        expectTypeOf(request).toEqualTypeOf<FastifyRequest>()
        return auth !== null
      },
    },
  })
}

export function honoApplication(): void {
  const lib = HonoLib(config)
  const app = new Hono()
  app.use(lib.handler)
  app.get('/', lib.session, async (c) => {
    expectTypeOf(await c.var.auth()).toEqualTypeOf<AppSession | null>()
    return c.text('')
  })
  app.get('/account', lib.protect(), (c) => {
    expectTypeOf(c.var.session).toEqualTypeOf<AppSession>()
    return c.text(c.get('session').role)
  })
  app.post('/login', async (c) => lib.signIn(c, 'credentials', await c.req.formData()))
  HonoLib((c) => {
    expectTypeOf(c).toEqualTypeOf<Context>()
    return config
  })
}

export async function svelteKitApplication(event: RequestEvent): Promise<Actions> {
  const { auth, protect, signIn, signOut, update } = SvelteKitLib(config)
  expectTypeOf<SessionOf<typeof auth>>().toEqualTypeOf<AppSession>()
  expectTypeOf(await event.locals.auth()).toEqualTypeOf<Session | null>()
  expectTypeOf(await event.locals.getSession()).toEqualTypeOf<Session | null>()
  expectTypeOf(await protect(event)).toEqualTypeOf<AppSession>()
  expectTypeOf(await update(event, {})).toEqualTypeOf<AppSession | null>()
  // @ts-expect-error a role that does not exist
  await protect(event, { allow: ({ role }) => role === 'owner' })
  expectTypeOf(await signIn(event, 'github', { redirect: false })).toEqualTypeOf<string>()
  // @ts-expect-error: neither true nor false
  await signIn(event, 'github', { remember: 'session' })
  SvelteKitAuth((given) => {
    expectTypeOf(given).toEqualTypeOf<RequestEvent>()
    return config
  })
  // SvelteKit 2.20 accepts no other data of a failed action.
  expectTypeOf<RejectedSignIn>().toExtend<Record<string, unknown>>()
  return { signIn, signOut }
}

export async function nodeServer(
  ...[req, res]: Parameters<ReturnType<typeof NodeLib>['handler']>
): Promise<void> {
  const lib = NodeLib(config)
  expectTypeOf(await lib.auth(req, res)).toEqualTypeOf<AppSession | null>()
  expectTypeOf(await lib.protect(req, res)).toEqualTypeOf<boolean>()
}

export function reactRouterApplication(): object {
  const lib = ReactRouterLib(config)
  expectTypeOf<SessionOf<typeof lib.auth>>().toEqualTypeOf<AppSession>()
  type Provider = Readonly<RouterContextProvider>
  ReactRouterLib((args) => {
    expectTypeOf(args).toEqualTypeOf<RouteArgs>()
    return config
  })
  // @ts-expect-error a role that does not exist
  lib.protect({ allow: ({ role }) => role === 'owner' })
  return {
    loader: async ({ context }: LoaderFunctionArgs<Provider>) => {
      expectTypeOf(await lib.auth(context)).toEqualTypeOf<AppSession | null>()
    },
    action: async (args: ActionFunctionArgs<Provider>): Promise<Response> =>
      lib.signIn(args, 'credentials', await args.request.formData()),
    middleware: [
      lib.middleware,
      lib.handler,
      lib.protect({ allow: ({ role }) => role === 'admin' }),
    ],
  }
}

export async function nuxtServer(event: ServerEvent): Promise<void> {
  const lib = NuxtLib(config)
  expectTypeOf<SessionOf<typeof lib.auth>>().toEqualTypeOf<AppSession>()
  expectTypeOf(await lib.auth(event)).toEqualTypeOf<AppSession | null>()
  const allow = ({ role }: AppSession) => role === 'admin'
  expectTypeOf(await lib.protect(event, { allow })).toEqualTypeOf<AppSession>()
  // @ts-expect-error the event is missing
  await lib.signIn('credentials')
  NuxtLib((request) => {
    expectTypeOf(request).toEqualTypeOf<ServerEvent>()
    return config
  })
}
