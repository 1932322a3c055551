/** Prisma schemas: the common one of existing applications, and one with other names. */
import { prismaSchema } from '../../src/cli/schema.ts'

/** A schema with these models. */
export function schemaOf(provider: string, models: string): string {
  return `generator client {
  provider        = "prisma-client"
  output          = "./client"
  previewFeatures = ["relationJoins"]
}

datasource db {
  provider = "${provider}"
}

${models}`
}

/** The common models; tables have the names of the models. */
export const usualModels = `
model User {
  id            String          @id @default(cuid())
  name          String?
  email         String?         @unique
  emailVerified DateTime?
  image         String?
  accounts      Account[]
  sessions      Session[]
  Authenticator Authenticator[]
  factors       Factor[]
  password      Password?
  createdAt     DateTime        @default(now())
  updatedAt     DateTime        @updatedAt
}

model Account {
  userId            String
  type              String
  provider          String
  providerAccountId String
  refresh_token     String? 
  access_token      String? 
  expires_at        Int?
  token_type        String?
  scope             String?
  id_token          String? 
  session_state     String?
  createdAt         DateTime @default(now())
  updatedAt         DateTime @updatedAt
  user              User     @relation(fields: [userId], references: [id], onDelete: Cascade)

  @@id([provider, providerAccountId])
}

model Session {
  sessionToken String   @unique
  userId       String
  expires      DateTime
  createdAt    DateTime @default(now())
  updatedAt    DateTime @updatedAt
  user         User     @relation(fields: [userId], references: [id], onDelete: Cascade)
}

model VerificationToken {
  identifier String
  token      String
  expires    DateTime

  @@id([identifier, token])
}

model Authenticator {
  credentialID         String  @unique
  userId               String
  providerAccountId    String
  credentialPublicKey  String
  counter              Int
  credentialDeviceType String
  credentialBackedUp   Boolean
  transports           String?
  user                 User    @relation(fields: [userId], references: [id], onDelete: Cascade)

  @@id([userId, credentialID])
}

model Record {
  key     String   @id
  value   String
  owner   String?
  expires DateTime

  @@index([owner])
  @@index([expires])
}

model Factor {
  id        String   @id
  userId    String
  type      String
  secret    String
  name      String?
  lastStep  Int?
  confirmed Boolean
  created   DateTime
  user      User     @relation(fields: [userId], references: [id], onDelete: Cascade)

  @@index([userId])
}

model Password {
  userId  String   @id
  hash    String
  changed DateTime
  user    User     @relation(fields: [userId], references: [id], onDelete: Cascade)
}
`

/** The names of the usual models. */
export const usualTables = {
  users: 'User',
  accounts: 'Account',
  sessions: 'Session',
  verificationTokens: 'VerificationToken',
  authenticators: 'Authenticator',
  records: 'Record',
  factors: 'Factor',
  passwords: 'Password',
} as const

const MIGRATED: Readonly<Record<string, string>> = {
  User: 'users',
  Account: 'accounts',
  Session: 'sessions',
  VerificationToken: 'verification_tokens',
  Authenticator: 'authenticators',
  Record: 'records',
  Factor: 'factors',
  Password: 'passwords',
}

/** The models on the tables that `npx lib-auth migrate` creates. */
export const onMigrated = (models: string): string =>
  models.replace(
    /model (\w+) \{[^}]*/g,
    (model, name: string) => `${model}\n  @@map("${MIGRATED[name]}")\n`,
  )

/** The models that `npx lib-auth schema` prints, on these tables. */
export const printedModels: string = onMigrated(prismaSchema('postgres'))

/** Models on tables that `npx lib-auth migrate` creates, with auto-increment ids and columns in snake case. */
export const ownModels = `
model Member {
  id            BigInt         @id @default(autoincrement())
  name          String?
  email         String?        @unique
  emailVerified DateTime?      @map("email_verified")
  image         String?
  plan          String?
  logins        Login[]
  visits        Visit[]
  passkeys      Passkey[]
  steps         Step[]
  secrets       Secret[]

  @@map("users")
}

model Login {
  userId            BigInt  @map("user_id")
  type              String
  provider          String
  providerAccountId String  @map("provider_account_id")
  refresh_token     String?
  access_token      String?
  expires_at        BigInt?
  token_type        String?
  scope             String?
  id_token          String?
  session_state     String?
  user              Member  @relation(fields: [userId], references: [id], onDelete: Cascade)

  @@unique([provider, providerAccountId], name: "login")
  @@map("accounts")
}

model Visit {
  sessionToken String   @id @map("session_token")
  userId       BigInt   @map("user_id")
  expires      DateTime
  user         Member   @relation(fields: [userId], references: [id], onDelete: Cascade)

  @@map("sessions")
}

model Link {
  identifier String
  token      String
  expires    DateTime

  @@id([identifier, token], name: "link")
  @@map("verification_tokens")
}

model Passkey {
  credentialID         String  @id @map("credential_id")
  userId               BigInt  @map("user_id")
  providerAccountId    String  @map("provider_account_id")
  credentialPublicKey  String  @map("credential_public_key")
  counter              BigInt
  credentialDeviceType String  @map("credential_device_type")
  credentialBackedUp   Boolean @map("credential_backed_up")
  transports           String?
  name                 String?
  lastUsed             DateTime? @map("last_used")
  created              DateTime?
  user                 Member  @relation(fields: [userId], references: [id], onDelete: Cascade)

  @@map("authenticators")
}

model Note {
  key     String   @id
  value   String
  owner   String?
  expires DateTime

  @@map("records")
}

model Step {
  id        String   @id
  userId    BigInt   @map("user_id")
  type      String
  secret    String
  name      String?
  lastStep  BigInt?  @map("last_step")
  confirmed Boolean
  created   DateTime
  user      Member   @relation(fields: [userId], references: [id], onDelete: Cascade)

  @@map("factors")
}

model Secret {
  userId  BigInt   @id @map("user_id")
  hash    String
  changed DateTime
  user    Member   @relation(fields: [userId], references: [id], onDelete: Cascade)

  @@map("passwords")
}
`

/** The names of {@link ownModels} in the client. */
export const ownNames = {
  users: 'member',
  accounts: 'login',
  sessions: 'visit',
  verificationTokens: 'link',
  authenticators: 'passkey',
  records: 'note',
  factors: 'step',
  passwords: 'secret',
} as const
