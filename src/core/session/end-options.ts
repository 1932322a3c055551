/** Which sessions of a user end. */
export interface EndOptions {
  /** Those that stay: that of the browser, or those with these ids. */
  readonly spare: 'none' | 'current' | readonly string[]
  /** Ends only sessions that started before. @default all */
  readonly startedBefore?: Date | undefined
}
