/** What users of the package rely on besides its types, as the source has it. STABILITY.md says what may change when. */
import { SCHEMA } from '../../src/adapters/_schema.ts'
import { COMMANDS } from '../../src/cli/commands.ts'
import { cookiePolicy } from '../../src/core/config/cookies.ts'
import * as defaults from '../../src/core/config/defaults.ts'
import {
  FURTHER_SECRETS,
  SECRET_NAMES,
  TRUST_NAMES,
  URL_NAMES,
} from '../../src/core/config/variables.ts'
import { withEnvDefaults } from '../../src/core/config/env.ts'
import { providerNames } from '../../src/core/config/variables.ts'
import { errorTable } from '../../src/core/errors/table.ts'
import { ROUTES } from '../../src/core/http/path.ts'
import { RULES } from '../../src/core/limits/rules.ts'
import { Auth } from '../../src/index.ts'
import { SECRET, silentLog } from '../config.ts'

async function accepts(action: string, method: string): Promise<boolean> {
  const { logger } = silentLog()
  const request = new Request(`https://a.test/auth/${action}`, { method })
  const config = { providers: [], secret: SECRET, trustHost: true, logger }
  return (await Auth(request, config)).status !== 405
}

/** The methods of each route, besides HEAD. */
async function readRoutes(): Promise<Record<string, string[]>> {
  const routes: Record<string, string[]> = {}
  for (const action of Object.keys(ROUTES)) {
    const methods: string[] = []
    for (const method of ['GET', 'POST']) if (await accepts(action, method)) methods.push(method)
    routes[action] = methods
  }
  return routes
}

function readCookies(): Record<string, unknown> {
  const all = (['secure', 'plain'] as const).map((security) => {
    const { sessionTokens: _several, ...cookies } = cookiePolicy(security, {})
    const entries = Object.entries(cookies).map(([id, { name, options }]) => [
      id,
      { name, ...options },
    ])
    return [security, Object.fromEntries(entries)]
  })
  return Object.fromEntries(all)
}

function readCommands(): Record<string, unknown> {
  const commands = Object.entries(COMMANDS).map(([name, { options, argument = null }]) => [
    name,
    { argument, options: Object.keys(options).sort() },
  ])
  return Object.fromEntries(commands)
}

/** The other variables that a configuration reads. */
function readOthers(known: readonly string[]): readonly string[] {
  const names = new Set<string>()
  const get = (_env: object, name: string | symbol) => void names.add(String(name))
  withEnvDefaults(new Proxy({}, { get }), { providers: [] }, '/auth')
  return [...names].filter((name) => name !== '' && !known.includes(name)).sort()
}

export async function readContract(): Promise<object> {
  const settings = ['clientId', 'clientSecret', 'issuer', 'apiKey'] as const
  return {
    cookies: readCookies(),
    routes: await readRoutes(),
    errors: errorTable,
    environment: {
      url: URL_NAMES,
      secret: SECRET_NAMES,
      furtherSecrets: FURTHER_SECRETS,
      trustHost: TRUST_NAMES,
      provider: settings.map((setting) => providerNames('some-id', setting)[0]),
      others: readOthers([...URL_NAMES, ...SECRET_NAMES, ...FURTHER_SECRETS, ...TRUST_NAMES]),
    },
    defaults: { ...defaults, limits: RULES },
    schema: SCHEMA,
    cli: readCommands(),
  }
}
