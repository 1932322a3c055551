/** Authentication for SvelteKit 2.20 and later. */
export { default, default as SvelteKitAuth } from './lib.ts'
export * from '../shared/exports.ts'
export type {
  LibConfig,
  LibConfig as SvelteKitAuthConfig,
  LibResult,
  RejectedSignIn,
  SessionLocals,
  SessionPageData,
} from './types.ts'
export type { ProtectOptions, SignOutOptions } from '../shared/types.ts'
