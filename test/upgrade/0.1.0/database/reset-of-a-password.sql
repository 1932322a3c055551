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
insert into "users" ("id", "name", "email", "emailVerified", "image") values ('ada', 'Ada', 'ada@example.com', '1970-01-01T00:00:00.000Z', NULL);
insert into "records" ("key", "value", "owner", "expires") values ('limit:mail.hosts:455eae589fcb9efa2be73a90269f8568', '1767323345000', NULL, '2026-01-02T03:09:05.000Z');
insert into "records" ("key", "value", "owner", "expires") values ('limit:mail:41984850f8033e44193f33f2122b490a', '1767323345000', NULL, '2026-01-02T03:09:05.000Z');
insert into "records" ("key", "value", "owner", "expires") values ('reset:a4xkG46lQDFzVzZB9D1T4VipUaBpMaPpBGJ03QZ6i-w', 'eyJhbGciOiJkaXIiLCJlbmMiOiJBMjU2Q0JDLUhTNTEyIiwia2lkIjoiNkJYZUg2bERGT1UtSFhrMEctU3Zsd0VqcWYwS3B6aG9yMjJDbTBKQ1I1VDdXaUVzN0ZvMlhoWk84Z3RvN3BySk1uTUo0ZnByN0ptaEVYQjg2ZUkwYWcifQ..rXzFrDaylSvTYN_c3e1-lw.AzB7A2MqL_E73ANaFb9_RbCNPEN5PCMRzhVmIRvqre4dBqpU-R7JhT4C3Mrzs04vNnpI-bVYVmg81NfaOOk_-BtFa2LW8YKCBYUVDgRIQ2dvE05W65iSz3vEfp4lPik4d7X9TcluF7uat93xk6enxu3WyXwyyrhbCXHh57PdyHI7U5LVnrE5c3VpZj2tKCwCGlYFQ_zJtitxsgL_OkySpw.iwaZgDMEIPq930htRocLPoO0u9ZRkxO6HlTkMZRETVg', NULL, '2026-01-02T03:34:05.000Z');
insert into "passwords" ("userId", "hash", "changed") values ('ada', '$scrypt$ln=15,r=8,p=3$3Tru77uI2bQdcskwEgWhqw$vj8LWSVYYyvGui6q2p/sYuEzNxI5Oez2oYfuQkr1eNA', '1970-01-01T00:00:00.000Z');
