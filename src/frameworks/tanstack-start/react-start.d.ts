/** The used part of a package that is too large to be installed for its types. */
declare module '@tanstack/react-start/server' {
  export function getRequest(): Request
}
