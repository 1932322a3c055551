import type { CustomMessages } from './messages.ts'

/** Appearance of the built-in pages. */
export interface Theme {
  /** Name of the application. @default the host of the site */
  name?: string | undefined
  /** Texts that replace the English ones. */
  messages?: CustomMessages | undefined
  /** @default 'auto' */
  colorScheme?: 'auto' | 'dark' | 'light' | undefined
  /** URL of a picture. */
  logo?: string | undefined
  /** A CSS colour. */
  brandColor?: string | undefined
  /** A CSS colour for text on `brandColor`. */
  buttonText?: string | undefined
}
