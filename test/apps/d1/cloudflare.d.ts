declare module 'cloudflare:workers' {
  /** What the workers of the tests are bound to. */
  export const env: {
    readonly STRATEGY: 'jwt' | 'database'
    readonly DB: {
      prepare(sql: string): { all(): Promise<{ readonly results: readonly object[] }> }
    }
    readonly SITE?: string
  }
  export function waitUntil(promise: Promise<unknown>): void
}
