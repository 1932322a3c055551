/** Test utilities: an OpenID provider, a browser, and tests for adapters. */
export { adapterCases, testAdapter } from './adapter/suite.ts'
export type { AdapterCase, Report } from './adapter/case.ts'
export type { AdapterTestOptions, TestFunction } from './adapter/suite.ts'
export { browser } from './browser.ts'
export type { Attempt, Browser, BrowserOptions, BrowserRequest } from './browser.ts'
export type { CookieRequest, CookieStore, Initiator, StoredCookie } from './cookies.ts'
export { issuer } from './issuer.ts'
export type * from './types.ts'
