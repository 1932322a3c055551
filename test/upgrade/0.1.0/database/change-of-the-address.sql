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
insert into "records" ("key", "value", "owner", "expires") values ('email-change:7AEVVdbghrE7RC4e1nXq3HUZMqaby6jKNprMta4Mhg4', 'eyJhbGciOiJkaXIiLCJlbmMiOiJBMjU2Q0JDLUhTNTEyIiwia2lkIjoieE1vZUswX2MxMmFDbjVJSGZVX2NOQmJMNkQ4OUFhU1hub1VmOFRiajNXOHZLMVIxeVdkQmVFRXh4VnpZd1Rmbzh6UHp0SFJ3WHBiWldDVHl4Wk1WV1EifQ..5pLWoCADQTwWtELPWonb8w.asswGl2UHba2G5Kp-ajc6mQSIiOjg7p56b7znsNASeo_7hztsKF3XNlvqQa9i-6BQwqJUi2FdUFvXcv4M78D0j8kPhCevzVKjXkUmR1MxgMY6A9QofFXGojw0ekJ4hPjpV-vCdOcpK77Xrjb4743d8ofkpaQ5emYviQS3i4A7QR8mzSYyLubdLaChjVudofYmN9FX8I6HdXbVkX5TsjpiNlLHHXXJu_CzzNysqSZXp29eYo7ye8LhKMuR9fiR5EgCefwxLYxvaIz6EHrQRre8FIgwV3zj1X79TCqcSExxBO6N-5e-0YgUsUaTs7YrbhZgwp9u7aGLjl28Zy22hVDCeuExkmbW6-pN-3pdw5nwwxGvb2kB5Nk8mo5sXfBgIAVu_uKb0HpKMDyaCxAMDDzrQ.htwmOnnpRQNRooh8RtkwxhbvY004S2zp7OC8C-lFmNQ', 'user:ada', '2026-01-02T04:04:05.000Z');
insert into "records" ("key", "value", "owner", "expires") values ('limit:emailChange:11fe9557cb8b59c22ac71bf66d8a8a09', '1767323765000', NULL, '2026-01-02T03:16:05.000Z');
insert into "records" ("key", "value", "owner", "expires") values ('limit:known:11fe9557cb8b59c22ac71bf66d8a8a09', '1767331685000', NULL, '2026-01-02T05:28:05.000Z');
insert into "records" ("key", "value", "owner", "expires") values ('limit:mail.hosts:204963cfa3460308eed653547d992fcf', '1767323345000', NULL, '2026-01-02T03:09:05.000Z');
insert into "records" ("key", "value", "owner", "expires") values ('limit:mail:4f4856152d347d7e6909a5b88e06b8df', '1767323345000', NULL, '2026-01-02T03:09:05.000Z');
insert into "records" ("key", "value", "owner", "expires") values ('limit:password.account:4110f9657dc1c4ed55159775c5457309:no-address', '1767323045000', NULL, '2026-01-02T03:04:05.000Z');
insert into "records" ("key", "value", "owner", "expires") values ('limit:password.day:4110f9657dc1c4ed55159775c5457309', '1767323045000', NULL, '2026-01-02T03:04:05.000Z');
insert into "records" ("key", "value", "owner", "expires") values ('limit:password.hosts:455eae589fcb9efa2be73a90269f8568', '1767323045000', NULL, '2026-01-02T03:04:05.000Z');
insert into "passwords" ("userId", "hash", "changed") values ('ada', '$scrypt$ln=15,r=8,p=3$v4W7J/TdrPE3hLrIKKCwgQ$9eDpgM5EA4+NAYT1IKY/+TO5UmyvRu3D3n0kGuB41aE', '1970-01-01T00:00:00.000Z');
