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
insert into "records" ("key", "value", "owner", "expires") values ('reset:MtPwQIhNz0Z97rEL1q0IQXKlUw3-perxeYrUKPDGsVA', 'eyJhbGciOiJkaXIiLCJlbmMiOiJBMjU2Q0JDLUhTNTEyIiwia2lkIjoiNkJYZUg2bERGT1UtSFhrMEctU3Zsd0VqcWYwS3B6aG9yMjJDbTBKQ1I1VDdXaUVzN0ZvMlhoWk84Z3RvN3BySk1uTUo0ZnByN0ptaEVYQjg2ZUkwYWcifQ..H_9_IgU1nUZc3t6Nd7m9Kw.nPr1teC1vfoBDusPQ4RSe91IMdin0bPm3vUd1DTmrJjIG5GYPS_7Ea1zjl6qWp1Pc0m3g3QuKAZf4O4catY298Jv93ZdymxU3O_cp59JtUFSSjQzEq4FRTcWwzbC5Zan1ag-EhJeL5MYwAycxJgcHFYXD-KXrefDtkdITAI4CkVW1HhzdJo2u_5GUh9Z24ryZHD9YIhmHjs2eFyWlz6T9w.g-l4Wc7r9OciMHAAGGnP--pwHlyxbay836o2taHIIwQ', NULL, '2026-01-02T03:34:05.000Z');
insert into "passwords" ("userId", "hash", "changed") values ('ada', '$scrypt$ln=15,r=8,p=3$ISwN+fZ1EOZhxVf9Y0gHyQ$0vmVaScUnNVJkHM/j4QK6TYGO2RBSM9j3Afs2vWkAqk', '1970-01-01T00:00:00.000Z');
