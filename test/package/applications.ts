/** Applications outside of this repository, into which npm installs the package from its tarball. */
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { inject } from 'vitest'
import { cookieStore } from '../../src/testing/cookies.ts'
import { freePort } from '../../tools/ports.mjs'
import { waitForServer, run, start } from '../../tools/run.mjs'
import { SECRET } from '../config.ts'

const FIXTURES = fileURLToPath(new URL('../fixtures', import.meta.url))
const COMPILER = fileURLToPath(new URL('../../node_modules/typescript/bin/tsc', import.meta.url))

/** The environment of a user, without variables of the test run. */
const ENVIRONMENT = {
  NODE_ENV: undefined,
  NEXT_TELEMETRY_DISABLED: '1',
  npm_config_local_prefix: undefined,
  npm_config_prefer_offline: 'true',
}

/** An application in a folder of its own. */
export interface Application {
  readonly folder: string
  /** Runs a program of Node that is installed in the application. */
  readonly node: (...args: string[]) => Promise<string>
  readonly end: () => void
}

/**
 * Copies a fixture to an empty folder, installs its dependencies, and then the tarball as `npm install lib-auth` does.
 *
 * @throws Error with the output of npm when a peer dependency conflicts
 */
export async function installInto(
  fixture: string,
  dependencies: readonly string[],
): Promise<Application> {
  const folder = mkdtempSync(join(tmpdir(), 'lib-auth-application-'))
  cpSync(join(FIXTURES, fixture), folder, { recursive: true })
  const manifest = { private: true, type: 'module' }
  writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest))
  const npm = (...args: string[]) =>
    run('npm', ['install', '--no-audit', '--no-fund', '--ignore-scripts', ...args], {
      cwd: folder,
      env: ENVIRONMENT,
    })
  await npm(...dependencies)
  await npm('--strict-peer-deps', inject('tarball'))
  return {
    folder,
    node: (...args) => run(process.execPath, args, { cwd: folder, env: ENVIRONMENT }),
    end: () => rmSync(folder, { recursive: true, force: true }),
  }
}

/** Type-checks and compiles modules of an application on Node. */
export function compile({ node }: Application, ...files: string[]): Promise<string> {
  const options = ['--module', 'nodenext', '--target', 'es2022', '--types', 'node']
  return node(COMPILER, '--strict', '--skipLibCheck', ...options, ...files)
}

/** A running site with one browser. */
export interface Site {
  readonly send: (
    path: string,
    body?: FormData | URLSearchParams,
    added?: object,
  ) => Promise<Response>
  readonly text: (path: string) => Promise<string>
  readonly stop: () => Promise<void>
}

/** Builds an application on Next.js and starts it. */
export async function startNext(
  { folder, node }: Application,
  env: Readonly<Record<string, string>> = {},
): Promise<Site> {
  const next = join(folder, 'node_modules/next/dist/bin/next')
  await node(next, 'build')
  const port = await freePort()
  const origin = `http://localhost:${port}`
  const server = start(process.execPath, [next, 'start', '--port', String(port)], {
    cwd: folder,
    env: {
      ...ENVIRONMENT,
      AUTH_SECRET: SECRET,
      AUTH_TRUST_HOST: 'true',
      NODE_ENV: 'production',
      ...env,
    },
  })
  await waitForServer(origin, server)
  const cookies = cookieStore()
  const send: Site['send'] = async (path, body, added) => {
    const url = new URL(path, origin)
    const method = body ? 'POST' : 'GET'
    const cookie = cookies.header({ url, method, initiator: 'same-site' })
    const headers = {
      cookie,
      origin,
      accept: 'text/html',
      'sec-fetch-site': 'same-origin',
      ...added,
    }
    const response = await fetch(url, {
      method,
      headers,
      redirect: 'manual',
      ...(body && { body }),
    })
    for (const each of response.headers.getSetCookie()) cookies.accept(each, url)
    return response
  }
  return { send, text: async (path) => (await send(path)).text(), stop: async () => server.stop() }
}

/**
 * Submits the form of a page with that button, as the client of Next.js does. Without it, a server action has no request
 * in Next.js 15.0 and 15.1.
 *
 * @returns the target of the redirect
 */
export async function submit(
  { send, text }: Site,
  path: string,
  button: string,
  fields: Readonly<Record<string, string>> = {},
): Promise<string> {
  const forms = (await text(path)).match(/<form.*?<\/form>/gs) ?? []
  const form = forms.find((each) => each.includes(`>${button}</button>`)) ?? ''
  const [, id = ''] = /name="\$ACTION_ID_(\w+)"/.exec(form) ?? []
  const body = new FormData()
  for (const [name, value] of Object.entries(fields)) body.set(`1_${name}`, value)
  body.set('0', '["$K1"]')
  const { headers } = await send(path, body, { 'next-action': id })
  const [target = ''] = headers.get('x-action-redirect')?.split(';') ?? []
  return target
}
