/** The sign-in button of an OAuth provider. */
import { isRecord } from '../is-record.ts'
import type { Awaitable, Hook } from '../types.ts'

/** Colours that a vendor requires for its button, as CSS colours. */
export interface ProviderButtonColors {
  readonly background: string
  readonly text: string
  readonly border: string
}

/** An SVG with the view box `0 0 24 24`. */
export interface ProviderIcon {
  /** `d` and `fill` of each path. Without `fill`, it has the colour of the text. */
  readonly paths: readonly { readonly d: string; readonly fill?: string }[]
  /** Colours of the button in the light and in the dark colour scheme. @default those of the page */
  readonly button?: Readonly<Record<'light' | 'dark', ProviderButtonColors>>
}

/** Whether `style.icon` has returned what the page can render. */
export function isIcon(value: unknown): value is ProviderIcon {
  if (!isRecord(value) || !Array.isArray(value['paths']) || !value['paths'].every(isRecord))
    return false
  const { button = { light: {}, dark: {} } } = value
  return isRecord(button) && isRecord(button['light']) && isRecord(button['dark'])
}

/** Appearance of the sign-in button of a provider. */
export interface OAuthProviderButtonStyles {
  /** URL or path of an image, which replaces the icon. The content security policy of the page allows its origin. */
  logo?: string
  /** Loads the icon that the sign-in page contains. @default the initial of `name` on `brandColor` */
  icon?: Hook<[], Awaitable<ProviderIcon>>
  /** A CSS colour. */
  brandColor?: string
  /** @deprecated use `brandColor` */
  bg?: string
  /** @deprecated has no effect */
  text?: string
}
