/** The script of the sign-in page: the build replaces this module by the bundle of `src/browser/webauthn/page-script.ts`. */
export const passkeyScript: string = ''
