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
insert into "records" ("key", "value", "owner", "expires") values ('before:_e5DDUC9V97qwYbNl5ADPQ8G-QmogG585ucXq3x9UCk', '[1767323165000,1767323045000,[["e6c765a4-a29b-4480-92fc-e9f3e218d536",-1]]]', NULL, '2026-02-01T03:06:05.000Z');
insert into "records" ("key", "value", "owner", "expires") values ('ended:93cAZIWO3mB_YQJGKpLsc4_08gOV2mNtNCKpOhx_ivU', '1', NULL, '2026-02-01T03:06:05.000Z');
insert into "records" ("key", "value", "owner", "expires") values ('forgotten:_e5DDUC9V97qwYbNl5ADPQ', '1767323165000', NULL, '2026-07-01T03:06:05.000Z');
insert into "records" ("key", "value", "owner", "expires") values ('limit:known:11fe9557cb8b59c22ac71bf66d8a8a09', '1767331685000', NULL, '2026-01-02T05:28:05.000Z');
insert into "records" ("key", "value", "owner", "expires") values ('limit:notice:11fe9557cb8b59c22ac71bf66d8a8a09', '1767323225000', NULL, '2026-01-02T03:07:05.000Z');
insert into "records" ("key", "value", "owner", "expires") values ('limit:password.account:4110f9657dc1c4ed55159775c5457309:no-address', '1767323045000', NULL, '2026-01-02T03:04:05.000Z');
insert into "records" ("key", "value", "owner", "expires") values ('limit:password.day:4110f9657dc1c4ed55159775c5457309', '1767323045000', NULL, '2026-01-02T03:04:05.000Z');
insert into "records" ("key", "value", "owner", "expires") values ('limit:password.hosts:455eae589fcb9efa2be73a90269f8568', '1767323045000', NULL, '2026-01-02T03:04:05.000Z');
insert into "records" ("key", "value", "owner", "expires") values ('limit:password.known.account:4110f9657dc1c4ed55159775c5457309', '1767323046000', NULL, '2026-01-02T03:04:06.000Z');
insert into "records" ("key", "value", "owner", "expires") values ('limit:password.known.day:4110f9657dc1c4ed55159775c5457309', '1767323046000', NULL, '2026-01-02T03:04:06.000Z');
insert into "records" ("key", "value", "owner", "expires") values ('limit:password.known.hosts:455eae589fcb9efa2be73a90269f8568', '1767323046000', NULL, '2026-01-02T03:04:06.000Z');
insert into "records" ("key", "value", "owner", "expires") values ('limit:password.known:4110f9657dc1c4ed55159775c5457309:edb005b00496ee53d532c8e5fbee0bba', '1767323046000', NULL, '2026-01-02T03:04:06.000Z');
insert into "factors" ("id", "userId", "type", "secret", "name", "lastStep", "confirmed", "created") values ('03827fdd-d9f0-489e-a893-4b8d90337644', 'ada', 'recovery', 'f0afc26d327cbd8a31677f243af44677e0e31fc7082d0e02ea6f7afe13a3d680', NULL, NULL, 1, '2026-01-02T03:04:05.000Z');
insert into "factors" ("id", "userId", "type", "secret", "name", "lastStep", "confirmed", "created") values ('116e7c3c-34f7-440b-8848-c0c6472df45f', 'ada', 'totp', 'eyJhbGciOiJkaXIiLCJlbmMiOiJBMjU2Q0JDLUhTNTEyIiwia2lkIjoiVDdqWjBxcFlUcmI2S19VLXBsblpud1pzWTlwQ0FMR0VkbzVHakxDZ1VLODhxS3NQLUdqeWQ1UElLbHd5WG0tN29tdy1DTm82UWs2eXVPYWpZMTlHRFEifQ..09i50SB54-bBkmrRx85vng.TUCYjAy2pqSHtJFfS1V7vnAR2JeNL4gWYi31zYDcCpNm9CEwuwBvKeRMTHc40DCVyUMcUp2_H9MWlWBFr2OVNJU1n8LHDUZNro56bJI_o9nOS7KyqbpsmJsigiFYphQTKkYH2YrIOD0VOUJYdZQEb4RZirX1jBJLXX5t23oE37bqg05vow6vObOIltaiHg9dYAEqRC2e_pRk9ZD4zhUwhA.4fEUZ-pjTyk6vupe5vPuXdO5LewBp-lMahtJ7d3ZgPs', NULL, 58910767, 1, '2026-01-02T03:04:05.000Z');
insert into "factors" ("id", "userId", "type", "secret", "name", "lastStep", "confirmed", "created") values ('2b96f224-c0fd-4f46-9351-7f827a22505d', 'ada', 'recovery', '59bd8698e2000a6e0ba03682515ffe597283a7f4b40cc93366f83d020c08b503', NULL, NULL, 1, '2026-01-02T03:04:05.000Z');
insert into "factors" ("id", "userId", "type", "secret", "name", "lastStep", "confirmed", "created") values ('3c9e47d8-7e86-44b6-a5dc-1eee6737ded4', 'ada', 'recovery', 'b83f1fc59fc27dea2b40980f66234760d3f27e8ba4642cebf6a3e6959809005e', NULL, NULL, 1, '2026-01-02T03:04:05.000Z');
insert into "factors" ("id", "userId", "type", "secret", "name", "lastStep", "confirmed", "created") values ('43cf2425-1f38-491f-8375-f419eb1bd86b', 'ada', 'recovery', '416f04fef5d2342f6e33ea293f2e913c37752ed39fda57009069d7642c8a7017', NULL, NULL, 1, '2026-01-02T03:04:05.000Z');
insert into "factors" ("id", "userId", "type", "secret", "name", "lastStep", "confirmed", "created") values ('53e5918b-3e0f-468f-bd47-e738c144923e', 'ada', 'recovery', '91bfe614b917b39042a289993bd8e698d2522199954201abf8e392775c844444', NULL, NULL, 1, '2026-01-02T03:04:05.000Z');
insert into "factors" ("id", "userId", "type", "secret", "name", "lastStep", "confirmed", "created") values ('5445517b-f356-4be0-844a-d7749157df7c', 'ada', 'recovery', '9f894119fc8b0a44359e727bf4bc6e593eb80220556dc7c58ddd58709a49a7e1', NULL, NULL, 1, '2026-01-02T03:04:05.000Z');
insert into "factors" ("id", "userId", "type", "secret", "name", "lastStep", "confirmed", "created") values ('6b1bc9aa-b893-4d9e-9f45-6e0e82714521', 'ada', 'recovery', 'f63fbc661d53f32615578894d221be1a7f22fd9046c7f1f66f6a6e70b1e28f31', NULL, NULL, 1, '2026-01-02T03:04:05.000Z');
insert into "factors" ("id", "userId", "type", "secret", "name", "lastStep", "confirmed", "created") values ('89364596-09d7-42c9-9f3a-1271cf61c119', 'ada', 'recovery', '6338abaaf487ca1f5b70d4ac8b35207a7036ddac71168dcf20fa519dfa364afe', NULL, NULL, 1, '2026-01-02T03:04:05.000Z');
insert into "factors" ("id", "userId", "type", "secret", "name", "lastStep", "confirmed", "created") values ('a4b6dd0c-6056-4f2d-bcfc-81d4b17b3252', 'ada', 'recovery', '3c4ff24bb9192fb3b7b754f922f9e2ac6074c56bcf9e8db3dee65a319747c8e6', NULL, NULL, 1, '2026-01-02T03:04:05.000Z');
insert into "factors" ("id", "userId", "type", "secret", "name", "lastStep", "confirmed", "created") values ('d475f763-dc02-4932-9a96-9b14a6e760b1', 'ada', 'recovery', '5f0cb257a854305d2b8c0b53b2ce1250e2331c543ac0f0abec8c7527358d1dcb', NULL, NULL, 1, '2026-01-02T03:04:05.000Z');
insert into "passwords" ("userId", "hash", "changed") values ('ada', '$scrypt$ln=15,r=8,p=3$oONRkIGypBH0TocW7gx8rg$mMXyqtPJ7huKYc+AmOgN6wgB3flb3PNX0MCHHDS02kE', '1970-01-01T00:00:00.000Z');
