/** The script of the sign-in page: the build replaces this module by the bundle of `src/webauthn/page-script.ts`. */
export const passkeyScript: string = ''
