/** Compiled, never run: `getAccessToken` and `requestScopes` know the ids of the providers. */
import type { NextApiRequest, NextApiResponse } from 'next/dist/shared/lib/utils.js'
import { expectTypeOf } from 'vitest'
import AstroLib from '../../src/frameworks/astro/index.ts'
import ExpressLib from '../../src/frameworks/express/index.ts'
import FastifyLib from '../../src/frameworks/fastify/index.ts'
import HonoLib from '../../src/frameworks/hono/index.ts'
import NextLib from '../../src/frameworks/next/index.ts'
import type { LibConfig, LibResult } from '../../src/frameworks/next/index.ts'
import NodeLib from '../../src/frameworks/node/index.ts'
import NuxtLib from '../../src/frameworks/nuxt/index.ts'
import ReactRouterLib from '../../src/frameworks/react-router/index.ts'
import SvelteKitLib from '../../src/frameworks/sveltekit/index.ts'
import TanStackLib from '../../src/frameworks/tanstack-start/index.ts'
import { getAccessToken, getAccessTokenFor, requestScopes } from '../../src/index.ts'
import type { AuthConfig } from '../../src/index.ts'
import type {
  OAuthConfig,
  OAuthUserConfig,
  OIDCConfig,
  OIDCUserConfig,
  Provider,
  TokenProviderId,
} from '../../src/providers/index.ts'
import AzureAD from '../../src/providers/azure-ad.ts'
import Credentials from '../../src/providers/credentials.ts'
import GitHub from '../../src/providers/github.ts'
import type { GitHubOptions, GitHubProfile } from '../../src/providers/github.ts'
import Google from '../../src/providers/google.ts'
import type { GoogleProfile } from '../../src/providers/google.ts'
import Passkey from '../../src/providers/passkey.ts'
import Resend from '../../src/providers/resend.ts'

const authorize = () => null
const providers = [
  Google,
  GitHub({ id: 'github-work', clientId: 'a' }),
  Credentials({ authorize }),
  Passkey,
  Resend({ from: 'a@example.com' }),
]
type Ids = 'google' | 'github-work'

type Id<F extends (...args: never[]) => unknown> = Extract<Parameters<F>[number], string>

/** What is an id: the first string of the parameters, whatever the framework passes before it. */
type IdsOf<
  Lib extends {
    getAccessToken: (...args: never[]) => unknown
    requestScopes: (...args: never[]) => unknown
  },
> = [Id<Lib['getAccessToken']>, Id<Lib['requestScopes']>]

export function everyWrapper(): void {
  const libs = {
    astro: AstroLib({ providers }),
    express: ExpressLib({ providers }),
    fastify: FastifyLib({ providers }),
    hono: HonoLib({ providers }),
    next: NextLib({ providers }),
    node: NodeLib({ providers }),
    nuxt: NuxtLib({ providers }),
    reactRouter: ReactRouterLib({ providers }),
    svelteKit: SvelteKitLib({ providers }),
    tanStack: TanStackLib({ providers }),
  }
  expectTypeOf<IdsOf<(typeof libs)[keyof typeof libs]>>().toEqualTypeOf<[Ids, Ids]>()
  const lazy = {
    astro: AstroLib(async () => ({ providers })),
    express: ExpressLib(() => ({ providers })),
    fastify: FastifyLib(async () => ({ providers })),
    hono: HonoLib(() => ({ providers })),
    next: NextLib(async () => ({ providers })),
    node: NodeLib(() => ({ providers })),
    nuxt: NuxtLib(() => ({ providers })),
    reactRouter: ReactRouterLib(() => ({ providers })),
    svelteKit: SvelteKitLib(async () => ({ providers })),
    tanStack: TanStackLib(() => ({ providers })),
  }
  expectTypeOf<IdsOf<(typeof lazy)[keyof typeof lazy]>>().toEqualTypeOf<[Ids, Ids]>()
}

export async function calls(req: NextApiRequest, res: NextApiResponse): Promise<void> {
  const lib = NextLib({
    providers: [Google, GitHub],
    callbacks: { session: ({ session }) => ({ ...session, role: 'admin' as const }) },
    tokens: {},
  })
  await lib.getAccessToken('google', { req, res })
  await lib.requestScopes('github', ['repo'])
  expectTypeOf(lib.requestScopes('github', [], { redirect: false })).toEqualTypeOf<
    Promise<string>
  >()
  // @ts-expect-error not a provider of the configuration
  await lib.getAccessToken('gogle')
  // @ts-expect-error not a provider of the configuration
  await lib.requestScopes('facebook', [])
  const onlyCredentials = NextLib({ providers: [Credentials({ authorize })] })
  // @ts-expect-error tokens of this provider do not exist
  await onlyCredentials.getAccessToken('credentials')
  const work = NextLib({
    providers: [
      Google({ id: 'google-work', checks: ['pkce'], authorization: { params: { hd: 'a.com' } } }),
      Google({ profile: ({ sub, given_name }) => ({ id: sub, name: given_name }) }),
    ],
  })
  expectTypeOf<IdsOf<typeof work>[0]>().toEqualTypeOf<'google-work' | 'google'>()
  const old = NextLib({ providers: [AzureAD, { ...Google(), id: 'corp' as const }] })
  expectTypeOf<IdsOf<typeof old>[0]>().toEqualTypeOf<'azure-ad' | 'corp'>()
  const inline = NextLib({
    providers: [Google, { id: 'acme' as const, name: 'Acme', type: 'oidc', checks: ['pkce'] }],
  })
  expectTypeOf<IdsOf<typeof inline>[0]>().toEqualTypeOf<'google' | 'acme'>()
  const some = NextLib({ providers: [Google, ...(req.url ? [GitHub] : [])] })
  expectTypeOf<IdsOf<typeof some>[0]>().toEqualTypeOf<'google' | 'github'>()
}

export async function withoutWrapper(request: Request, config: AuthConfig): Promise<void> {
  const known = { providers, tokens: {} }
  await getAccessToken(request, known, 'google')
  await getAccessToken(request, { providers: [Google] }, 'google', { refresh: 'now' })
  await getAccessTokenFor(known, { userId: '1', provider: 'github-work' })
  await getAccessToken(request, config, 'anything')
  await getAccessTokenFor(config, { userId: '1', provider: 'anything' })
  await requestScopes(request, known, 'github-work', ['repo'], { redirectTo: '/' })
  await requestScopes(request, config, 'anything', [])
  // @ts-expect-error not a provider of the configuration
  await getAccessToken(request, known, 'github')
  // @ts-expect-error not a provider of the configuration
  await getAccessTokenFor(known, { userId: '1', provider: 'github' })
  // @ts-expect-error not a provider of the configuration
  await requestScopes(request, known, 'github', ['repo'])
  // @ts-expect-error the promise is not awaited
  requestScopes(request, known, 'google', []).value.slice()
}

/** Where a type does not tell an id, every string is accepted. */
export function unknownIds(
  config: LibConfig,
  list: Provider[],
  own: OAuthConfig<GoogleProfile>,
  id: string,
): void {
  type Of<L extends Parameters<typeof IdOf>[0]> = IdsOf<L>[0]
  const IdOf = (lib: LibResult) => lib
  const factory = (options: OIDCUserConfig<GoogleProfile>): OIDCConfig<GoogleProfile> => ({
    id: 'own',
    name: 'Own',
    type: 'oidc',
    options,
  })
  const libs = {
    config: NextLib(config),
    lazy: NextLib(() => config),
    none: NextLib({}),
    empty: NextLib({ providers: list }),
    own: NextLib({ providers: [Google, own] }),
    factory: NextLib({ providers: [Google, factory] }),
    called: NextLib({ providers: [Google, factory({})] }),
    id: NextLib({ providers: [Google({ id })] }),
    spread: NextLib({ providers: [...list, Google] }),
    inline: NextLib({ providers: [Google, { id: 'acme', name: 'Acme', type: 'oidc' }] }),
  }
  expectTypeOf<Of<(typeof libs)['config']>>().toEqualTypeOf<string>()
  expectTypeOf<Of<(typeof libs)['lazy']>>().toEqualTypeOf<string>()
  expectTypeOf<Of<(typeof libs)['none']>>().toEqualTypeOf<string>()
  expectTypeOf<Of<(typeof libs)['empty']>>().toEqualTypeOf<string>()
  expectTypeOf<Of<(typeof libs)['own']>>().toEqualTypeOf<string>()
  expectTypeOf<Of<(typeof libs)['factory']>>().toEqualTypeOf<string>()
  expectTypeOf<Of<(typeof libs)['called']>>().toEqualTypeOf<string>()
  expectTypeOf<Of<(typeof libs)['id']>>().toEqualTypeOf<string>()
  expectTypeOf<Of<(typeof libs)['spread']>>().toEqualTypeOf<string>()
  expectTypeOf<Of<(typeof libs)['inline']>>().toEqualTypeOf<string>()
}

/** The established types still fit both ways. */
export function established(): void {
  expectTypeOf(NextLib({ providers: [Google] })).toExtend<LibResult>()
  const result: LibResult = NextLib({ providers: [Google] })
  expectTypeOf(result.getAccessToken).toBeCallableWith('anything')
  const google: OIDCConfig<GoogleProfile> = Google()
  const list: Provider[] = [Google, GitHub, google, Google({ id: 'x' })]
  expectTypeOf(list).toEqualTypeOf<Provider[]>()
  const options: OIDCUserConfig<GoogleProfile> = { clientId: 'a' }
  expectTypeOf<TokenProviderId<ReturnType<typeof Google>>>().toBeString()
  const configured = Google(options)
  expectTypeOf<TokenProviderId<typeof configured>>().toEqualTypeOf<string>()
  const enterprise: GitHubOptions = { enterprise: { baseUrl: 'https://git.example.com' } }
  expectTypeOf(GitHub(enterprise).id).toEqualTypeOf<'github'>()
  expectTypeOf<GitHubOptions>().toExtend<OAuthUserConfig<GitHubProfile>>()
  const wrap = (given: OAuthUserConfig<GitHubProfile>) => ({ ...GitHub(given), name: 'Git' })
  expectTypeOf(NextLib({ providers: [wrap({})] })).toExtend<LibResult>()
}
