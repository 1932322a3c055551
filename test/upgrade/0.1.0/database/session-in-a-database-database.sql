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
insert into "users" ("id", "name", "email", "emailVerified", "image") values ('4847b75c-33f9-46fb-8a7c-4e654b3fb1dd', 'Ada', 'ada@example.com', NULL, NULL);
insert into "accounts" ("provider", "providerAccountId", "userId", "type", "refresh_token", "access_token", "expires_at", "token_type", "scope", "id_token", "session_state") values ('op', 'ada', '4847b75c-33f9-46fb-8a7c-4e654b3fb1dd', 'oidc', NULL, '20883143-25b5-4a7c-9481-6bb1cb1c51ed', 1767326645, 'bearer', 'openid profile email', 'eyJhbGciOiJFUzI1NiIsImtpZCI6ImtleS0xIn0.eyJzdWIiOiJhZGEiLCJuYW1lIjoiQWRhIiwiZW1haWwiOiJhZGFAZXhhbXBsZS5jb20iLCJlbWFpbF92ZXJpZmllZCI6dHJ1ZSwiaXNzIjoiaHR0cHM6Ly9pc3N1ZXIudGVzdCIsImF1ZCI6ImNsaWVudCIsImlhdCI6MTc2NzMyMzA0NSwiZXhwIjoxNzY3MzIzMzQ1LCJub25jZSI6InAtS1E2bUFLSy05cmFMWFBiakRJOTJadERHcmk5M1JUTHI3UnJJLUtTbzgifQ.ie_O3eB4EoZ_WNCjWIB4GP2DYnFIuarTlOvdnsUrjNvA4GWxypuN9t4tar7WuKxoLJq-ybU6KEnAEXMqtnuf2g', NULL);
insert into "sessions" ("sessionToken", "userId", "expires") values ('9ARPsUjvte95gt3wyVzoGXkskAQM6VMJxmGeeEky3ao!mjwaid1k!op!fed!!2592000!!1!', '4847b75c-33f9-46fb-8a7c-4e654b3fb1dd', '2026-02-01T03:04:05.000Z');
