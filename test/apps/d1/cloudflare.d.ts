declare module 'cloudflare:workers' {
  /** What the worker is bound to. */
  export const env: {
    readonly STRATEGY: 'jwt' | 'database'
    readonly DB: {
      prepare(sql: string): { all(): Promise<{ readonly results: readonly object[] }> }
    }
  }
}
