/** The support for passwords that `Password` sets. */
import { lazily } from '../async/cache.ts'
import type { Context } from '../contracts.ts'
import type { DatabaseSource } from '../database/database.ts'
import type { AuthError } from '../errors/base.ts'
import { CredentialsSignin, InvalidConfiguration } from '../errors/classes.ts'
import { isRecord } from '../is-record.ts'
import { missingAdapter, missingTable } from '../config/adapter-problems.ts'
import { mismatch } from '../config/describe-value.ts'
import type { PasswordOptions, PasswordSettings } from '../config/password-options.ts'
import { findPasswordSupport } from '../config/password-support.ts'
import type { BoundPasswords, PasswordSupport } from '../config/password-support.ts'
import type { ProviderConfig } from '../config/provider.ts'

const SHORTEST = 8
const LONGEST = 64
const DEFAULT_LENGTH = 12

const load = lazily(() => import('./password-flow.ts'))

function* optionProblems(options: Readonly<Record<string, unknown>>): Iterable<string> {
  const { minLength = DEFAULT_LENGTH, check, hasher, legacy = [], ...flags } = options
  const isLength =
    typeof minLength === 'number' &&
    Number.isInteger(minLength) &&
    minLength >= SHORTEST &&
    minLength <= LONGEST
  if (!isLength)
    yield mismatch('minLength', `a whole number from ${SHORTEST} to ${LONGEST}`, minLength)
  if (check !== undefined && typeof check !== 'function')
    yield `${mismatch('check', 'a function', check)} It returns a code to reject a password, or null.`
  const { hash, verify }: Readonly<Record<string, unknown>> = isRecord(hasher) ? hasher : {}
  if (hasher !== undefined && !(typeof hash === 'function' && typeof verify === 'function'))
    yield mismatch('hasher', 'an object with the functions hash and verify', hasher)
  if (!Array.isArray(legacy) || legacy.some((each) => typeof each !== 'function'))
    yield `${mismatch('legacy', 'an array of functions', legacy)} Each one returns whether a password is that of a hash.`
  for (const name of ['commonPasswords', 'signUp'])
    if (flags[name] !== undefined && typeof flags[name] !== 'boolean')
      yield mismatch(name, 'true or false', flags[name])
}

function resolveSettings(options: PasswordOptions, id: string): PasswordSettings {
  const {
    minLength = DEFAULT_LENGTH,
    check,
    commonPasswords,
    hasher,
    legacy = [],
    signUp,
  } = options
  return {
    id,
    minLength,
    check: check ?? null,
    rejectsCommon: commonPasswords !== false,
    hasSignUp: signUp !== false,
    hasher: hasher ?? null,
    legacy,
  }
}

function bind(settings: PasswordSettings, database: DatabaseSource): BoundPasswords {
  const open = async (request: Context) => (await load()).withPasswords(request, database, settings)
  return {
    links: { signUp: settings.hasSignUp },
    show: async (ctx) => (await load()).show(await open(ctx)),
    act: async (ctx) => (await load()).act(await open(ctx)),
    sendReset: async (ctx, user) =>
      (await load()).sendReset(
        ctx,
        user,
        await (await database()).call(ctx, 'getPassword', user.id),
      ),
    check: (ctx) => {
      let checked: Awaited<ReturnType<typeof run>> = null
      const run = async (credentials: object) =>
        (await load()).checkPassword(await open(ctx), credentials)
      return {
        async authorize(credentials) {
          checked = await run(credentials)
          if (checked) return checked.user
          throw new CredentialsSignin('No user has this e-mail address and this password.')
        },
        async recheck() {
          if (checked) await (await load()).confirmPassword(await open(ctx), checked)
        },
      }
    },
  }
}

function isPasswords(provider: ProviderConfig): boolean {
  return provider.type === 'credentials' && findPasswordSupport(provider) !== null
}

export function passwordsWith(options: PasswordOptions): PasswordSupport {
  return {
    options,
    *problems(_provider, place, { config: { adapter }, providers }): Iterable<AuthError> {
      for (const problem of optionProblems({ ...options }))
        yield new InvalidConfiguration(`${place}: ${problem}`)
      if (!adapter) yield missingAdapter('credentials')
      if (providers.filter(isPasswords).length > 1)
        yield new InvalidConfiguration(
          `${place} is a second provider of passwords, whose pages have the same URLs. Remove one of them.`,
        )
      const missing = typeof adapter === 'object' ? missingTable(adapter, 'passwords', place) : null
      if (missing) yield missing
    },
    bind: ({ id }, database) => bind(resolveSettings(options, id), database),
  }
}
