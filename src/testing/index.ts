/** For tests of applications: a provider to sign in at, and a browser to do it with. */
export { browser } from './browser.ts'
export type { Attempt, Browser, BrowserOptions, BrowserRequest } from './browser.ts'
export type { CookieStore, Initiator, StoredCookie } from './cookies.ts'
export { issuer } from './issuer.ts'
export type {
  AuthorizationAnswer,
  IdTokenDraft,
  Issuer,
  IssuerEndpoint,
  IssuerOptions,
  Misbehaviour,
  Values,
} from './types.ts'
