/** Which part of the source may import which, and which packages: docs/decisions/0001-architecture.md. */

/** The files of `src` itself, which re-export what the core defines. */
export const ENTRY_POINTS: readonly string[] = [
  'errors',
  'index',
  'jwt',
  'opentelemetry',
  'passkeys',
  'types',
]

/** The folders of `src`, and what each may import from the others, as values. */
export const WINGS: Readonly<Record<string, readonly string[]>> = {
  core: [],
  adapters: ['core/database/adapter', 'core/limits/gcra', 'core/symbols'],
  browser: [
    'core/errors/classes',
    'core/errors/url',
    'core/http/base-path',
    'core/http/call-options',
  ],
  cli: ['core/', 'adapters/_schema', 'adapters/sqlite', 'testing/issuer'],
  frameworks: ['core/'],
  providers: [
    'core/config/passkeys',
    'core/config/variables',
    'core/crypto/digest',
    'core/errors/classes',
    'core/flows/oauth/account-id',
    'core/is-record',
    'core/log/redact-error',
    'core/pages/html',
    'core/pages/style',
    'core/symbols',
  ],
  testing: ['core/auth', 'core/crypto/digest', 'core/is-record'],
}

/** What each part of a wing may import from the other parts of that wing; the other wings have no parts. */
export const PARTS: Readonly<Record<string, readonly string[]>> = {
  'frameworks/shared': [],
  'frameworks/astro': ['shared'],
  'frameworks/express': ['node', 'shared'],
  'frameworks/fastify': ['node', 'shared'],
  'frameworks/hono': ['shared'],
  'frameworks/next': ['shared'],
  'frameworks/node': ['shared'],
  'frameworks/nuxt': ['node', 'shared'],
  'frameworks/react-router': ['shared'],
  'frameworks/sveltekit': ['shared'],
  'frameworks/tanstack-start': ['shared'],
  'browser/client': [],
  'browser/react': ['client'],
  'browser/solid': ['client'],
  'browser/svelte': ['client'],
  'browser/vue': ['client'],
  'browser/webauthn': ['client'],
}

/** The layer of each part of the core. A file that is named does not have that of its folder. */
export const LAYERS: Readonly<Record<string, number>> = {
  'core/async': 0,
  // Types only, which any part may import.
  'core/contracts': 0,
  'core/errors': 0,
  'core/is-record': 0,
  'core/symbols': 0,
  'core/types': 0,
  'core/config/announce': 0,
  'core/config/defaults': 0,
  'core/config/nearest-name': 0,
  'core/config/variables': 0,
  'core/flows/oauth/account-id': 0,
  'core/http/base-path': 0,
  'core/http/call-options': 0,
  'core/http/server-call': 0,
  'core/identity/case-folding': 0,
  'core/identity/mail-address': 0,
  'core/limits/process-memory': 0,
  'core/log/audit-event': 0,
  'core/session/jwt-options': 0,
  'core/session/session-of': 0,
  'core/cookies': 1,
  'core/crypto': 1,
  'core/hooks': 1,
  'core/http': 1,
  'core/log': 1,
  'core/checks': 2,
  'core/context': 2,
  'core/database': 2,
  'core/limits': 2,
  'core/pages': 2,
  'core/records': 2,
  'core/flows': 3,
  'core/identity': 3,
  'core/session': 3,
  'core/config': 4,
  'core/actions': 5,
  'core/get-token': 5,
  'core/failure': 6,
  'core/auth': 7,
  'core/get-session': 7,
  'core/identity/manage-passkeys': 8,
}

/** Parts of the core that may use others of their own layer. */
export const SIDEWAYS: Readonly<Record<string, readonly string[]>> = {
  'core/hooks': ['core/log', 'core/crypto'],
  'core/log': ['core/crypto'],
  'core/http': ['core/crypto', 'core/cookies', 'core/log'],
}

/** Which packages are used where. */
export const PACKAGES: Readonly<Record<string, readonly string[]>> = {
  'node:buffer': ['cli'],
  'node:child_process': ['cli'],
  'node:fs': ['cli'],
  'node:http': ['cli/dev-provider'],
  'node:stream': ['cli/dev-provider'],
  'node:module': ['cli'],
  'node:path': ['cli'],
  'node:readline': ['cli'],
  'node:url': ['cli'],
  'node:util': ['cli'],
  '@opentelemetry': ['opentelemetry'],
  '@simplewebauthn': ['browser/webauthn', 'cli/doctor/passkeys', 'providers/webauthn'],
  '@sveltejs': ['frameworks/sveltekit'],
  '@tanstack': ['frameworks/tanstack-start'],
  'drizzle-orm': ['adapters/drizzle', 'adapters/_drizzle', 'adapters/_drizzle-records'],
  kysely: ['adapters/kysely', 'adapters/_kysely', 'adapters/_kysely-records', 'cli/database'],
  mysql2: ['cli/database/connect'],
  oauth4webapi: ['core/flows/oauth'],
  next: ['frameworks/next'],
  nodemailer: ['providers/nodemailer'],
  pg: ['cli/database/connect'],
  react: ['browser/react'],
  'solid-js': ['browser/solid'],
  svelte: ['browser/svelte'],
  vue: ['browser/vue'],
}
