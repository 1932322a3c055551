// A site with passwords on Better Auth, for the test that migrates its users.
import { betterAuth } from 'better-auth'
import { getMigrations } from 'better-auth/db/migration'

/** Creates the tables, and returns a function that signs a user up. */
export async function openBetterAuth(db) {
  const options = {
    baseURL: 'https://app.test',
    secret: 'a secret for tests, of more than 32 bytes',
    telemetry: { enabled: false },
    database: { db, type: 'sqlite' },
    emailAndPassword: { enabled: true },
  }
  const { runMigrations } = await getMigrations(options)
  await runMigrations()
  const auth = betterAuth(options)
  return (body) => auth.api.signUpEmail({ body })
}
