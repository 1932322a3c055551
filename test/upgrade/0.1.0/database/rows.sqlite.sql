create table "users" (
  "id" text not null,
  "name" text,
  "email" text,
  "emailVerified" text,
  "image" text,
  primary key ("id")
);
create unique index "users_email" on "users" ("email");
create table "accounts" (
  "provider" text not null,
  "providerAccountId" text not null,
  "userId" text not null,
  "type" text not null,
  "refresh_token" text,
  "access_token" text,
  "expires_at" integer,
  "token_type" text,
  "scope" text,
  "id_token" text,
  "session_state" text,
  primary key ("provider", "providerAccountId"),
  foreign key ("userId") references "users" ("id") on delete cascade
);
create index "accounts_userId" on "accounts" ("userId");
create table "sessions" (
  "sessionToken" text not null,
  "userId" text not null,
  "expires" text not null,
  primary key ("sessionToken"),
  foreign key ("userId") references "users" ("id") on delete cascade
);
create index "sessions_userId" on "sessions" ("userId");
create index "sessions_expires" on "sessions" ("expires");
create table "verification_tokens" (
  "identifier" text not null,
  "token" text not null,
  "expires" text not null,
  primary key ("identifier", "token")
);
create index "verification_tokens_expires" on "verification_tokens" ("expires");
create table "authenticators" (
  "credentialID" text not null,
  "userId" text not null,
  "providerAccountId" text not null,
  "credentialPublicKey" text not null,
  "counter" integer not null,
  "credentialDeviceType" text not null,
  "credentialBackedUp" integer not null,
  "transports" text,
  "name" text,
  "lastUsed" text,
  "created" text,
  primary key ("credentialID"),
  foreign key ("userId") references "users" ("id") on delete cascade
);
create index "authenticators_userId" on "authenticators" ("userId");
create table "records" (
  "key" text not null,
  "value" text not null,
  "owner" text,
  "expires" text not null,
  primary key ("key")
);
create index "records_owner" on "records" ("owner");
create index "records_expires" on "records" ("expires");
create table "factors" (
  "id" text not null,
  "userId" text not null,
  "type" text not null,
  "secret" text not null,
  "name" text,
  "lastStep" integer,
  "confirmed" integer not null,
  "created" text not null,
  primary key ("id"),
  foreign key ("userId") references "users" ("id") on delete cascade
);
create index "factors_userId" on "factors" ("userId");
create table "passwords" (
  "userId" text not null,
  "hash" text not null,
  "changed" text not null,
  primary key ("userId"),
  foreign key ("userId") references "users" ("id") on delete cascade
);
insert into "users" ("id", "name", "email", "emailVerified", "image") values ('0d0b9a0e-7f63-4a55-9a5c-6f3f1c1d7a11', 'Uuid', 'uuid@example.com', '2026-01-02T03:04:05.000Z', NULL);
insert into "users" ("id", "name", "email", "emailVerified", "image") values ('ada', 'Ada Lovelace', 'ada@example.com', '2026-01-02T03:04:05.000Z', NULL);
insert into "users" ("id", "name", "email", "emailVerified", "image") values ('domain', 'Umlaut', 'ada@münchen.example', '2026-01-02T03:04:05.000Z', NULL);
insert into "users" ("id", "name", "email", "emailVerified", "image") values ('emoji', '😀 é é', 'emoji@example.com', '2026-01-02T03:04:05.001Z', NULL);
insert into "users" ("id", "name", "email", "emailVerified", "image") values ('mixed', 'Mixed Case', 'Mixed.Case@Example.com', '2026-01-02T03:04:05.000Z', NULL);
insert into "users" ("id", "name", "email", "emailVerified", "image") values ('nameless', NULL, 'nameless@example.com', NULL, NULL);
insert into "users" ("id", "name", "email", "emailVerified", "image") values ('percent', '100 % "quoted" \', 'percent+tag@example.com', '1970-01-01T00:00:00.000Z', NULL);
insert into "users" ("id", "name", "email", "emailVerified", "image") values ('quote', 'Miles O''Brien; --', 'o''brien@example.com', NULL, NULL);
insert into "accounts" ("provider", "providerAccountId", "userId", "type", "refresh_token", "access_token", "expires_at", "token_type", "scope", "id_token", "session_state") values ('op', 'op:0d0b9a0e-7f63-4a55-9a5c-6f3f1c1d7a11', '0d0b9a0e-7f63-4a55-9a5c-6f3f1c1d7a11', 'oidc', NULL, NULL, NULL, NULL, NULL, NULL, NULL);
insert into "accounts" ("provider", "providerAccountId", "userId", "type", "refresh_token", "access_token", "expires_at", "token_type", "scope", "id_token", "session_state") values ('op', 'op:ada', 'ada', 'oidc', NULL, NULL, NULL, NULL, NULL, NULL, NULL);
insert into "accounts" ("provider", "providerAccountId", "userId", "type", "refresh_token", "access_token", "expires_at", "token_type", "scope", "id_token", "session_state") values ('op', 'op:domain', 'domain', 'oidc', NULL, NULL, NULL, NULL, NULL, NULL, NULL);
insert into "accounts" ("provider", "providerAccountId", "userId", "type", "refresh_token", "access_token", "expires_at", "token_type", "scope", "id_token", "session_state") values ('op', 'op:emoji', 'emoji', 'oidc', NULL, NULL, NULL, NULL, NULL, NULL, NULL);
insert into "accounts" ("provider", "providerAccountId", "userId", "type", "refresh_token", "access_token", "expires_at", "token_type", "scope", "id_token", "session_state") values ('op', 'op:mixed', 'mixed', 'oidc', NULL, NULL, NULL, NULL, NULL, NULL, NULL);
insert into "accounts" ("provider", "providerAccountId", "userId", "type", "refresh_token", "access_token", "expires_at", "token_type", "scope", "id_token", "session_state") values ('op', 'op:nameless', 'nameless', 'oidc', NULL, NULL, NULL, NULL, NULL, NULL, NULL);
insert into "accounts" ("provider", "providerAccountId", "userId", "type", "refresh_token", "access_token", "expires_at", "token_type", "scope", "id_token", "session_state") values ('op', 'op:percent', 'percent', 'oidc', NULL, NULL, NULL, NULL, NULL, NULL, NULL);
insert into "accounts" ("provider", "providerAccountId", "userId", "type", "refresh_token", "access_token", "expires_at", "token_type", "scope", "id_token", "session_state") values ('op', 'op:quote', 'quote', 'oidc', NULL, NULL, NULL, NULL, NULL, NULL, NULL);
insert into "accounts" ("provider", "providerAccountId", "userId", "type", "refresh_token", "access_token", "expires_at", "token_type", "scope", "id_token", "session_state") values ('posted', 'posted:0d0b9a0e-7f63-4a55-9a5c-6f3f1c1d7a11', '0d0b9a0e-7f63-4a55-9a5c-6f3f1c1d7a11', 'oauth', 'sealed '' 0d0b9a0e-7f63-4a55-9a5c-6f3f1c1d7a11', 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa', 1767323045, NULL, 'openid email', NULL, NULL);
insert into "accounts" ("provider", "providerAccountId", "userId", "type", "refresh_token", "access_token", "expires_at", "token_type", "scope", "id_token", "session_state") values ('posted', 'posted:ada', 'ada', 'oauth', 'sealed '' ada', 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa', 1767323045, NULL, 'openid email', NULL, NULL);
insert into "accounts" ("provider", "providerAccountId", "userId", "type", "refresh_token", "access_token", "expires_at", "token_type", "scope", "id_token", "session_state") values ('posted', 'posted:domain', 'domain', 'oauth', 'sealed '' domain', 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa', 1767323045, NULL, 'openid email', NULL, NULL);
insert into "accounts" ("provider", "providerAccountId", "userId", "type", "refresh_token", "access_token", "expires_at", "token_type", "scope", "id_token", "session_state") values ('posted', 'posted:emoji', 'emoji', 'oauth', 'sealed '' emoji', 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa', 1767323045, NULL, 'openid email', NULL, NULL);
insert into "accounts" ("provider", "providerAccountId", "userId", "type", "refresh_token", "access_token", "expires_at", "token_type", "scope", "id_token", "session_state") values ('posted', 'posted:mixed', 'mixed', 'oauth', 'sealed '' mixed', 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa', 1767323045, NULL, 'openid email', NULL, NULL);
insert into "accounts" ("provider", "providerAccountId", "userId", "type", "refresh_token", "access_token", "expires_at", "token_type", "scope", "id_token", "session_state") values ('posted', 'posted:nameless', 'nameless', 'oauth', 'sealed '' nameless', 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa', 1767323045, NULL, 'openid email', NULL, NULL);
insert into "accounts" ("provider", "providerAccountId", "userId", "type", "refresh_token", "access_token", "expires_at", "token_type", "scope", "id_token", "session_state") values ('posted', 'posted:percent', 'percent', 'oauth', 'sealed '' percent', 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa', 1767323045, NULL, 'openid email', NULL, NULL);
insert into "accounts" ("provider", "providerAccountId", "userId", "type", "refresh_token", "access_token", "expires_at", "token_type", "scope", "id_token", "session_state") values ('posted', 'posted:quote', 'quote', 'oauth', 'sealed '' quote', 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa', 1767323045, NULL, 'openid email', NULL, NULL);
insert into "sessions" ("sessionToken", "userId", "expires") values ('old of 0d0b9a0e-7f63-4a55-9a5c-6f3f1c1d7a11', '0d0b9a0e-7f63-4a55-9a5c-6f3f1c1d7a11', '2026-01-02T03:04:04.999Z');
insert into "sessions" ("sessionToken", "userId", "expires") values ('old of ada', 'ada', '2026-01-02T03:04:04.999Z');
insert into "sessions" ("sessionToken", "userId", "expires") values ('old of domain', 'domain', '2026-01-02T03:04:04.999Z');
insert into "sessions" ("sessionToken", "userId", "expires") values ('old of emoji', 'emoji', '2026-01-02T03:04:04.999Z');
insert into "sessions" ("sessionToken", "userId", "expires") values ('old of mixed', 'mixed', '2026-01-02T03:04:04.999Z');
insert into "sessions" ("sessionToken", "userId", "expires") values ('old of nameless', 'nameless', '2026-01-02T03:04:04.999Z');
insert into "sessions" ("sessionToken", "userId", "expires") values ('old of percent', 'percent', '2026-01-02T03:04:04.999Z');
insert into "sessions" ("sessionToken", "userId", "expires") values ('old of quote', 'quote', '2026-01-02T03:04:04.999Z');
insert into "sessions" ("sessionToken", "userId", "expires") values ('session of 0d0b9a0e-7f63-4a55-9a5c-6f3f1c1d7a11', '0d0b9a0e-7f63-4a55-9a5c-6f3f1c1d7a11', '2126-01-01T00:00:00.000Z');
insert into "sessions" ("sessionToken", "userId", "expires") values ('session of ada', 'ada', '2126-01-01T00:00:00.000Z');
insert into "sessions" ("sessionToken", "userId", "expires") values ('session of domain', 'domain', '2126-01-01T00:00:00.000Z');
insert into "sessions" ("sessionToken", "userId", "expires") values ('session of emoji', 'emoji', '2126-01-01T00:00:00.000Z');
insert into "sessions" ("sessionToken", "userId", "expires") values ('session of mixed', 'mixed', '2126-01-01T00:00:00.000Z');
insert into "sessions" ("sessionToken", "userId", "expires") values ('session of nameless', 'nameless', '2126-01-01T00:00:00.000Z');
insert into "sessions" ("sessionToken", "userId", "expires") values ('session of percent', 'percent', '2126-01-01T00:00:00.000Z');
insert into "sessions" ("sessionToken", "userId", "expires") values ('session of quote', 'quote', '2126-01-01T00:00:00.000Z');
insert into "verification_tokens" ("identifier", "token", "expires") values ('Mixed.Case@Example.com', 'token of mixed', '2126-01-01T00:00:00.000Z');
insert into "verification_tokens" ("identifier", "token", "expires") values ('ada@example.com', 'token of ada', '2126-01-01T00:00:00.000Z');
insert into "verification_tokens" ("identifier", "token", "expires") values ('ada@münchen.example', 'token of domain', '2126-01-01T00:00:00.000Z');
insert into "verification_tokens" ("identifier", "token", "expires") values ('emoji@example.com', 'token of emoji', '2126-01-01T00:00:00.000Z');
insert into "verification_tokens" ("identifier", "token", "expires") values ('nameless@example.com', 'token of nameless', '2126-01-01T00:00:00.000Z');
insert into "verification_tokens" ("identifier", "token", "expires") values ('o''brien@example.com', 'token of quote', '2126-01-01T00:00:00.000Z');
insert into "verification_tokens" ("identifier", "token", "expires") values ('percent+tag@example.com', 'token of percent', '2126-01-01T00:00:00.000Z');
insert into "verification_tokens" ("identifier", "token", "expires") values ('uuid@example.com', 'token of 0d0b9a0e-7f63-4a55-9a5c-6f3f1c1d7a11', '2126-01-01T00:00:00.000Z');
insert into "authenticators" ("credentialID", "userId", "providerAccountId", "credentialPublicKey", "counter", "credentialDeviceType", "credentialBackedUp", "transports", "name", "lastUsed", "created") values ('key of 0d0b9a0e-7f63-4a55-9a5c-6f3f1c1d7a11', '0d0b9a0e-7f63-4a55-9a5c-6f3f1c1d7a11', 'passkey:0d0b9a0e-7f63-4a55-9a5c-6f3f1c1d7a11', 'cHVibGlj', 7, 'multiDevice', 1, 'internal,hybrid', NULL, NULL, '2026-01-02T03:04:05.000Z');
insert into "authenticators" ("credentialID", "userId", "providerAccountId", "credentialPublicKey", "counter", "credentialDeviceType", "credentialBackedUp", "transports", "name", "lastUsed", "created") values ('key of ada', 'ada', 'passkey:ada', 'cHVibGlj', 7, 'multiDevice', 1, 'internal,hybrid', NULL, NULL, '2026-01-02T03:04:05.000Z');
insert into "authenticators" ("credentialID", "userId", "providerAccountId", "credentialPublicKey", "counter", "credentialDeviceType", "credentialBackedUp", "transports", "name", "lastUsed", "created") values ('key of domain', 'domain', 'passkey:domain', 'cHVibGlj', 7, 'multiDevice', 1, 'internal,hybrid', NULL, NULL, '2026-01-02T03:04:05.000Z');
insert into "authenticators" ("credentialID", "userId", "providerAccountId", "credentialPublicKey", "counter", "credentialDeviceType", "credentialBackedUp", "transports", "name", "lastUsed", "created") values ('key of emoji', 'emoji', 'passkey:emoji', 'cHVibGlj', 7, 'multiDevice', 1, 'internal,hybrid', NULL, NULL, '2026-01-02T03:04:05.000Z');
insert into "authenticators" ("credentialID", "userId", "providerAccountId", "credentialPublicKey", "counter", "credentialDeviceType", "credentialBackedUp", "transports", "name", "lastUsed", "created") values ('key of mixed', 'mixed', 'passkey:mixed', 'cHVibGlj', 7, 'multiDevice', 1, 'internal,hybrid', NULL, NULL, '2026-01-02T03:04:05.000Z');
insert into "authenticators" ("credentialID", "userId", "providerAccountId", "credentialPublicKey", "counter", "credentialDeviceType", "credentialBackedUp", "transports", "name", "lastUsed", "created") values ('key of nameless', 'nameless', 'passkey:nameless', 'cHVibGlj', 7, 'multiDevice', 1, 'internal,hybrid', NULL, NULL, '2026-01-02T03:04:05.000Z');
insert into "authenticators" ("credentialID", "userId", "providerAccountId", "credentialPublicKey", "counter", "credentialDeviceType", "credentialBackedUp", "transports", "name", "lastUsed", "created") values ('key of percent', 'percent', 'passkey:percent', 'cHVibGlj', 7, 'multiDevice', 1, 'internal,hybrid', NULL, NULL, '2026-01-02T03:04:05.000Z');
insert into "authenticators" ("credentialID", "userId", "providerAccountId", "credentialPublicKey", "counter", "credentialDeviceType", "credentialBackedUp", "transports", "name", "lastUsed", "created") values ('key of quote', 'quote', 'passkey:quote', 'cHVibGlj', 7, 'multiDevice', 1, 'internal,hybrid', NULL, NULL, '2026-01-02T03:04:05.000Z');
insert into "factors" ("id", "userId", "type", "secret", "name", "lastStep", "confirmed", "created") values ('app of 0d0b9a0e-7f63-4a55-9a5c-6f3f1c1d7a11', '0d0b9a0e-7f63-4a55-9a5c-6f3f1c1d7a11', 'totp', 'sealed', NULL, NULL, 0, '2026-01-02T03:04:05.000Z');
insert into "factors" ("id", "userId", "type", "secret", "name", "lastStep", "confirmed", "created") values ('app of ada', 'ada', 'totp', 'sealed', NULL, NULL, 0, '2026-01-02T03:04:05.000Z');
insert into "factors" ("id", "userId", "type", "secret", "name", "lastStep", "confirmed", "created") values ('app of domain', 'domain', 'totp', 'sealed', NULL, NULL, 0, '2026-01-02T03:04:05.000Z');
insert into "factors" ("id", "userId", "type", "secret", "name", "lastStep", "confirmed", "created") values ('app of emoji', 'emoji', 'totp', 'sealed', NULL, NULL, 0, '2026-01-02T03:04:05.000Z');
insert into "factors" ("id", "userId", "type", "secret", "name", "lastStep", "confirmed", "created") values ('app of mixed', 'mixed', 'totp', 'sealed', NULL, NULL, 0, '2026-01-02T03:04:05.000Z');
insert into "factors" ("id", "userId", "type", "secret", "name", "lastStep", "confirmed", "created") values ('app of nameless', 'nameless', 'totp', 'sealed', NULL, NULL, 0, '2026-01-02T03:04:05.000Z');
insert into "factors" ("id", "userId", "type", "secret", "name", "lastStep", "confirmed", "created") values ('app of percent', 'percent', 'totp', 'sealed', NULL, NULL, 0, '2026-01-02T03:04:05.000Z');
insert into "factors" ("id", "userId", "type", "secret", "name", "lastStep", "confirmed", "created") values ('app of quote', 'quote', 'totp', 'sealed', NULL, NULL, 0, '2026-01-02T03:04:05.000Z');
insert into "passwords" ("userId", "hash", "changed") values ('0d0b9a0e-7f63-4a55-9a5c-6f3f1c1d7a11', '$scrypt$ln=15,r=8,p=3$vb8Asm6/6cxOEPcrbvppyA$2HParCZFRgxzCpWoHmBu0sXAvL14spc5y7FLQbPb7Tk', '2026-01-02T03:04:05.000Z');
insert into "passwords" ("userId", "hash", "changed") values ('ada', '$scrypt$ln=15,r=8,p=3$o7N2gFRG7/0NBTsIx8PPpg$rtH1O0cj4SlQSaOWLVOFtUZwpvTPR0fHEdRZZEnxLNM', '2026-01-02T03:04:05.000Z');
insert into "passwords" ("userId", "hash", "changed") values ('domain', '$scrypt$ln=15,r=8,p=3$BsdmUk7xRf5oinm9N9hNWw$QHIx/tV4Y78VKyOOov/G7UhLB1UR5eDTZQbXnujrw5o', '2026-01-02T03:04:05.000Z');
insert into "passwords" ("userId", "hash", "changed") values ('emoji', '$scrypt$ln=15,r=8,p=3$kbvPg65xRzeoTtMTIF1hJQ$IJZxe7FpAj1Xb4om/u7TqsLmbnEQBOspage1nGOl+zU', '2026-01-02T03:04:05.000Z');
insert into "passwords" ("userId", "hash", "changed") values ('mixed', '$scrypt$ln=15,r=8,p=3$4NehkZynWb/uu7PScWqWcw$FDLtB0ZBDF2RP2GPciN9/b9kUWuw6+czOT0wP7+7LXc', '2026-01-02T03:04:05.000Z');
insert into "passwords" ("userId", "hash", "changed") values ('nameless', '$scrypt$ln=15,r=8,p=3$tWnrxBg0TVft1rWY1eR7jQ$RbFC0DnOYVtOwJQnz09AdTAs39Azi15A6Jnej+bOjt4', '2026-01-02T03:04:05.000Z');
insert into "passwords" ("userId", "hash", "changed") values ('percent', '$scrypt$ln=15,r=8,p=3$hdScM+HDvqgAvjFhvdYnFg$3MLmAyQ8BrzkjPkqLFRUbkG8qfyMEQ/UHdApLyB8YfQ', '2026-01-02T03:04:05.000Z');
insert into "passwords" ("userId", "hash", "changed") values ('quote', '$scrypt$ln=15,r=8,p=3$qS09QMbXje1KJZVRWXbkow$5v/E+u+Ytk9+++tqLjoJkGXkks5r3pXyz2KVSEgN7xY', '2026-01-02T03:04:05.000Z');
