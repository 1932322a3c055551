/** What the compiler of Svelte writes into components. */
declare module 'svelte/internal/client' {
  type Source<T> = { readonly v: T }
  export function push(props: object, usesRunes: boolean): void
  export function pop(exports: object): object
  export function user_effect(run: () => void): void
  export function state<T>(value: T): Source<T>
  export function get<T>(source: Source<T>): T
  export function set<T>(source: Source<T>, value: T): void
}

declare module '*/index-client.js' {}
