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
insert into "records" ("key", "value", "owner", "expires") values ('limit:mail.hosts:455eae589fcb9efa2be73a90269f8568', '1767323345000', NULL, '2026-01-02T03:09:05.000Z');
insert into "records" ("key", "value", "owner", "expires") values ('limit:mail:41984850f8033e44193f33f2122b490a', '1767323345000', NULL, '2026-01-02T03:09:05.000Z');
insert into "records" ("key", "value", "owner", "expires") values ('sign-up:jFU8igupKyvLlfsfgy-ODHiZPaFOK0ZCfhN2CaxyyUs', 'eyJhbGciOiJkaXIiLCJlbmMiOiJBMjU2Q0JDLUhTNTEyIiwia2lkIjoiN3UtVF9fandsWDVUa05KLWVWWHhLUFFWelM4MjJYRzMwSXZwb2FIVEUtOVhucEI5VVMwai1OVzVUMnpQVkpyYzdURHBBd2lCdEdDT0p4b1VKTk5oRVEifQ..-429cJKWoEKzXLV9QVH_cw.TrhGRZJYQZqgqRdJnWWYQPS0cSlrfVbmQPtYR_weWtVQPvFVyvizr0eSq8yrIUCDGKQLKSavQQZr-NBw4BvzHWFFK0-vvp520H8gCWyjhVxP_O316RkHwApaf_XTbIxxvU60qxlWRMdXfvn8pfCAO-eQrMPwZDFvxDLdv2SEdAnvBNklDmcxlIzmgCY1_dhD0Jl56Grk310vxmqkJHq6lYys4rpvnGL4V0lzTMPDbPdaZFD0mPmrtbgBK6mlJ7grvCAx2xqDG89Oe_oTwfrID1J0_wmYitO6GfctzJ16f_wzWoKnBFrAfhNCLtcSZDMxodxRy71ZW5_b9oftlePeIyf7BCH_sMv9bn8ytkvRc_jY8E8jKpAqGRra5GORLmj_9ybEPaRX5mVtvVs0tpWHfQ.9b_mL8JTQyN2tUkv1B4dwxuk2T0ftXrBYPRt1UmKycc', NULL, '2026-01-03T03:04:05.000Z');
