import { InvalidConfiguration } from '../errors/classes.ts'

/** The list of a strategy that has none. @throws InvalidConfiguration */
export async function cannotList(): Promise<never> {
  throw new InvalidConfiguration(
    "Sessions in cookies are not listed. Set session.devices to 'listed' or 'described', and store to where records are stored, for example to RedisAdapter(client).",
  )
}
