import { InvalidConfiguration } from '../core/errors/classes.ts'

/** Returns the URL of an instance without a slash at the end. @throws InvalidConfiguration if it is not a URL */
export function instanceUrl(url: string, option: string, example: string): string {
  if (!URL.canParse(url))
    throw new InvalidConfiguration(
      `${option} is not a URL (got "${url}"). Set it to a URL like ${example}.`,
    )
  return url.replace(/\/+$/, '')
}
