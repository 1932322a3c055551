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
insert into "records" ("key", "value", "owner", "expires") values ('before:_e5DDUC9V97qwYbNl5ADPQ8G-QmogG585ucXq3x9UCk', '[1767323165000,1767323045000,[["cf169ae0-83cf-4696-a0bb-dec4c4acf2a1",-1]]]', NULL, '2026-02-01T03:06:05.000Z');
insert into "records" ("key", "value", "owner", "expires") values ('ended:Si0S3cPB-nT3o8XQbl4BUAvFB8r3Gz4_C9KXQo_gcjk', '1', NULL, '2026-02-01T03:06:05.000Z');
insert into "records" ("key", "value", "owner", "expires") values ('forgotten:_e5DDUC9V97qwYbNl5ADPQ', '1767323165000', NULL, '2026-07-01T03:06:05.000Z');
insert into "records" ("key", "value", "owner", "expires") values ('limit:known:11fe9557cb8b59c22ac71bf66d8a8a09', '1767331685000', NULL, '2026-01-02T05:28:05.000Z');
insert into "records" ("key", "value", "owner", "expires") values ('limit:notice:11fe9557cb8b59c22ac71bf66d8a8a09', '1767323225000', NULL, '2026-01-02T03:07:05.000Z');
insert into "records" ("key", "value", "owner", "expires") values ('limit:password.account:4110f9657dc1c4ed55159775c5457309:no-address', '1767323045000', NULL, '2026-01-02T03:04:05.000Z');
insert into "records" ("key", "value", "owner", "expires") values ('limit:password.day:4110f9657dc1c4ed55159775c5457309', '1767323045000', NULL, '2026-01-02T03:04:05.000Z');
insert into "records" ("key", "value", "owner", "expires") values ('limit:password.hosts:455eae589fcb9efa2be73a90269f8568', '1767323045000', NULL, '2026-01-02T03:04:05.000Z');
insert into "records" ("key", "value", "owner", "expires") values ('limit:password.known.account:4110f9657dc1c4ed55159775c5457309', '1767323046000', NULL, '2026-01-02T03:04:06.000Z');
insert into "records" ("key", "value", "owner", "expires") values ('limit:password.known.day:4110f9657dc1c4ed55159775c5457309', '1767323046000', NULL, '2026-01-02T03:04:06.000Z');
insert into "records" ("key", "value", "owner", "expires") values ('limit:password.known.hosts:455eae589fcb9efa2be73a90269f8568', '1767323046000', NULL, '2026-01-02T03:04:06.000Z');
insert into "records" ("key", "value", "owner", "expires") values ('limit:password.known:4110f9657dc1c4ed55159775c5457309:33429d2facbc473a859cc6d808800262', '1767323046000', NULL, '2026-01-02T03:04:06.000Z');
insert into "factors" ("id", "userId", "type", "secret", "name", "lastStep", "confirmed", "created") values ('07787620-500d-487e-acf6-af8316d74967', 'ada', 'recovery', '29b867579e347051972c8df4364603b14892b73c33ce5369f8ca723bd963a301', NULL, NULL, 1, '2026-01-02T03:04:05.000Z');
insert into "factors" ("id", "userId", "type", "secret", "name", "lastStep", "confirmed", "created") values ('136312d8-d883-4d25-8017-7cb3953f4e4c', 'ada', 'recovery', 'c9910a00024272efc7f4281833977b26e296aaee2784b79c057a5e82be9070f0', NULL, NULL, 1, '2026-01-02T03:04:05.000Z');
insert into "factors" ("id", "userId", "type", "secret", "name", "lastStep", "confirmed", "created") values ('1923e128-2dad-48c0-996c-02d3f6b1ce3b', 'ada', 'recovery', 'ca84d9816d0fb5622eca25108e239aa01230bf6114f515ba85060e0bf0660c7a', NULL, NULL, 1, '2026-01-02T03:04:05.000Z');
insert into "factors" ("id", "userId", "type", "secret", "name", "lastStep", "confirmed", "created") values ('200c34d0-fcaf-43bd-b461-a3c8f0f41ee4', 'ada', 'totp', 'eyJhbGciOiJkaXIiLCJlbmMiOiJBMjU2Q0JDLUhTNTEyIiwia2lkIjoiVDdqWjBxcFlUcmI2S19VLXBsblpud1pzWTlwQ0FMR0VkbzVHakxDZ1VLODhxS3NQLUdqeWQ1UElLbHd5WG0tN29tdy1DTm82UWs2eXVPYWpZMTlHRFEifQ..2c9bmyXgQB1xzEdSCZCR7Q.Gpp6S4yh_WnL0w1dnn3LeB-4sqvGEdkbl8_2Jk4gQIOqeCouoYQAIAY21UbuVYXL6kIDJ7dyzfIb-Pba3RGWCMmLoKALYaiGLO15SNQta-tQtSyklAc2bGZyZ5zn9-hvznPh6Gi_zu6tdHRXpL_Ms6AX0T7EStLf8pW_kx41zD_kWlU2Dm-I7dAWm4O5O0u6F8TGCLmNxskGgs0jJ0m8pQ.PlDDmDS48_RDjAzPG5bAwxNEiGzzpEAlme8y3XIq70w', NULL, 58910767, 1, '2026-01-02T03:04:05.000Z');
insert into "factors" ("id", "userId", "type", "secret", "name", "lastStep", "confirmed", "created") values ('33e6800d-2390-4c07-8e59-6ba69b89f140', 'ada', 'recovery', '359ba7598d54a6a50068f6bd14c1c9a2526bc6e3b96bf482cbbf9770412e89ba', NULL, NULL, 1, '2026-01-02T03:04:05.000Z');
insert into "factors" ("id", "userId", "type", "secret", "name", "lastStep", "confirmed", "created") values ('749a7797-1e22-44e7-b2b1-ae9a8a05c513', 'ada', 'recovery', '0c57c8d08cb3edbee6ed55c957f6f909bd785a3d074d2ef723d2c95948d28841', NULL, NULL, 1, '2026-01-02T03:04:05.000Z');
insert into "factors" ("id", "userId", "type", "secret", "name", "lastStep", "confirmed", "created") values ('90d5671b-5c5a-4fbe-a136-a50bf99d9ebd', 'ada', 'recovery', '756a5f550bb4419b92bcdfbcf5574a30c2d9dccbe236c329babd5c004fa462bc', NULL, NULL, 1, '2026-01-02T03:04:05.000Z');
insert into "factors" ("id", "userId", "type", "secret", "name", "lastStep", "confirmed", "created") values ('c11710bc-17db-4685-a413-d5f8c3258a87', 'ada', 'recovery', '8e839bf7098dc1ad83a1b093258e63680947b8d0944306aa610c15ebafc256ad', NULL, NULL, 1, '2026-01-02T03:04:05.000Z');
insert into "factors" ("id", "userId", "type", "secret", "name", "lastStep", "confirmed", "created") values ('ce8c3acc-01e8-42bf-9df9-e877346b2219', 'ada', 'recovery', '833461eb0b8b8e465c0c27c351b77d3ce473150376030c1fe9ba498b12274ec3', NULL, NULL, 1, '2026-01-02T03:04:05.000Z');
insert into "factors" ("id", "userId", "type", "secret", "name", "lastStep", "confirmed", "created") values ('f475b9ed-b2f8-4352-9720-7d5fd526bad2', 'ada', 'recovery', '2dd5502d49103ba66b26c5a9ab0a3d1fb81a33a1f781bc4b1d7aea1fb8146e05', NULL, NULL, 1, '2026-01-02T03:04:05.000Z');
insert into "factors" ("id", "userId", "type", "secret", "name", "lastStep", "confirmed", "created") values ('fb41b34f-f8ac-4846-bc4c-15bc4cb2718b', 'ada', 'recovery', 'ac27c11222cdfbaf272ce9ebd625c671a39ffd53733497f038e60a319e5d12f0', NULL, NULL, 1, '2026-01-02T03:04:05.000Z');
insert into "passwords" ("userId", "hash", "changed") values ('ada', '$scrypt$ln=15,r=8,p=3$EJocPo/bJtud7bqwd02XoA$2TAOngPhNd4EdVFVBzvfFyZJ7EcgBnxWS0NvkehSo10', '1970-01-01T00:00:00.000Z');
