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
insert into "records" ("key", "value", "owner", "expires") values ('before:_e5DDUC9V97qwYbNl5ADPQ8G-QmogG585ucXq3x9UCk', '[1767323165000,1767323045000,[["8fe96d8a-e375-4f12-b59f-4b44307d07d7",-1]]]', NULL, '2026-02-01T03:06:05.000Z');
insert into "records" ("key", "value", "owner", "expires") values ('ended:WsqnzGjPJQkqxIXWxW1LtYUFY10KtDgK4fk_BExUWL4', '1', NULL, '2026-02-01T03:06:05.000Z');
insert into "records" ("key", "value", "owner", "expires") values ('forgotten:_e5DDUC9V97qwYbNl5ADPQ', '1767323165000', NULL, '2026-07-01T03:06:05.000Z');
insert into "records" ("key", "value", "owner", "expires") values ('limit:known:11fe9557cb8b59c22ac71bf66d8a8a09', '1767331685000', NULL, '2026-01-02T05:28:05.000Z');
insert into "records" ("key", "value", "owner", "expires") values ('limit:notice:11fe9557cb8b59c22ac71bf66d8a8a09', '1767323225000', NULL, '2026-01-02T03:07:05.000Z');
insert into "records" ("key", "value", "owner", "expires") values ('limit:password.account:4110f9657dc1c4ed55159775c5457309:no-address', '1767323045000', NULL, '2026-01-02T03:04:05.000Z');
insert into "records" ("key", "value", "owner", "expires") values ('limit:password.day:4110f9657dc1c4ed55159775c5457309', '1767323045000', NULL, '2026-01-02T03:04:05.000Z');
insert into "records" ("key", "value", "owner", "expires") values ('limit:password.hosts:455eae589fcb9efa2be73a90269f8568', '1767323045000', NULL, '2026-01-02T03:04:05.000Z');
insert into "records" ("key", "value", "owner", "expires") values ('limit:password.known.account:4110f9657dc1c4ed55159775c5457309', '1767323046000', NULL, '2026-01-02T03:04:06.000Z');
insert into "records" ("key", "value", "owner", "expires") values ('limit:password.known.day:4110f9657dc1c4ed55159775c5457309', '1767323046000', NULL, '2026-01-02T03:04:06.000Z');
insert into "records" ("key", "value", "owner", "expires") values ('limit:password.known.hosts:455eae589fcb9efa2be73a90269f8568', '1767323046000', NULL, '2026-01-02T03:04:06.000Z');
insert into "records" ("key", "value", "owner", "expires") values ('limit:password.known:4110f9657dc1c4ed55159775c5457309:cba069b3f34d0fa03345b5236ed3678e', '1767323046000', NULL, '2026-01-02T03:04:06.000Z');
insert into "factors" ("id", "userId", "type", "secret", "name", "lastStep", "confirmed", "created") values ('05b07258-7f98-43db-8fb4-882353a236ad', 'ada', 'recovery', '68b408ac54d27ea02cac6d9919dab2ae962f0f543e3998db29886453e5fead61', NULL, NULL, 1, '2026-01-02T03:04:05.000Z');
insert into "factors" ("id", "userId", "type", "secret", "name", "lastStep", "confirmed", "created") values ('0970bab7-c463-4ed5-bb06-7d50eb561da6', 'ada', 'recovery', 'ad0ef6c6840e8815b399ada7f16af80f235ef7d69b8df8f24b9eb2ee068934a0', NULL, NULL, 1, '2026-01-02T03:04:05.000Z');
insert into "factors" ("id", "userId", "type", "secret", "name", "lastStep", "confirmed", "created") values ('10adc852-3421-470d-95a1-f95a065570fc', 'ada', 'recovery', '883fa0fb443d2d33b01aba0cbd664665bef2cc407a1cb3181ce6dff638b58709', NULL, NULL, 1, '2026-01-02T03:04:05.000Z');
insert into "factors" ("id", "userId", "type", "secret", "name", "lastStep", "confirmed", "created") values ('3ac6eda5-f413-4b19-9a3b-07475b9fb2c8', 'ada', 'recovery', 'f66f8bdd188f2be2e83e56778457b22ddb0a83304639df57379877e05ef9f64c', NULL, NULL, 1, '2026-01-02T03:04:05.000Z');
insert into "factors" ("id", "userId", "type", "secret", "name", "lastStep", "confirmed", "created") values ('4bb4bcfd-71e0-42ad-bfed-4295af7b9911', 'ada', 'recovery', 'a95aecfa72baec7110e5e149aa041c9c51b9b48b939f20bb2f51f11733e2f92b', NULL, NULL, 1, '2026-01-02T03:04:05.000Z');
insert into "factors" ("id", "userId", "type", "secret", "name", "lastStep", "confirmed", "created") values ('6cc01a0d-2d77-4522-a42f-47b66f60194a', 'ada', 'recovery', '1da0c5235044c3a115909e93d7d8a40d78a905d5044d0a214acdc0b90d5727a4', NULL, NULL, 1, '2026-01-02T03:04:05.000Z');
insert into "factors" ("id", "userId", "type", "secret", "name", "lastStep", "confirmed", "created") values ('73e575f1-9828-4604-bd47-3aac2f1233c7', 'ada', 'recovery', 'a9226cfa8dfdcfe7fdd7da191c4a959a7f8ec408ae683573de00749b3749edda', NULL, NULL, 1, '2026-01-02T03:04:05.000Z');
insert into "factors" ("id", "userId", "type", "secret", "name", "lastStep", "confirmed", "created") values ('78892d8f-dd60-43c9-87ee-8eb61a42f529', 'ada', 'recovery', 'b30e4dd752eecf4d98419699524a2fd1fc191bcd85a0a6a93a41e53a05079334', NULL, NULL, 1, '2026-01-02T03:04:05.000Z');
insert into "factors" ("id", "userId", "type", "secret", "name", "lastStep", "confirmed", "created") values ('7a6bdfb7-9aa7-457e-8ea4-721983a0c63e', 'ada', 'totp', 'eyJhbGciOiJkaXIiLCJlbmMiOiJBMjU2Q0JDLUhTNTEyIiwia2lkIjoiVDdqWjBxcFlUcmI2S19VLXBsblpud1pzWTlwQ0FMR0VkbzVHakxDZ1VLODhxS3NQLUdqeWQ1UElLbHd5WG0tN29tdy1DTm82UWs2eXVPYWpZMTlHRFEifQ..vvbld2YFVHQSrVOy6ukX4Q.IOFiF3k5jl9STeQQI5W_AyQ8ABMSPph56fdrgVj4-T_Ef8bHJwLO0hbpgJrU5w3tj4U-C0r_XJ6Ri4IDiWpLWGdL-Po0TcHDcZcmS2VIn7Y3lRTRB1NYp6ZnFjOXAivp9B33OkWmXtYPCNQPgxZJguywTvdQ1jJs1DP6r8BgLEgZNxpYQQapCatOj0D_dplAqvy6eXwaB44qOY7_7h1j_g.ph_FEs_lrCBEU-5S2N1fYpxj2jSCz0sACXqfKIwws4U', NULL, 58910767, 1, '2026-01-02T03:04:05.000Z');
insert into "factors" ("id", "userId", "type", "secret", "name", "lastStep", "confirmed", "created") values ('d43fcc68-7ef2-490e-ba23-103a246f896f', 'ada', 'recovery', '41c17cf4e487830ed2ca4ea66826768c564106ca4d54bb24674841c5ff4e8399', NULL, NULL, 1, '2026-01-02T03:04:05.000Z');
insert into "factors" ("id", "userId", "type", "secret", "name", "lastStep", "confirmed", "created") values ('f576f82f-e074-4eae-bde8-d2ba0468ab1f', 'ada', 'recovery', 'f5e71053859527fd4c495222b82ae049d55c1ae36acb59dd0efafb848203455a', NULL, NULL, 1, '2026-01-02T03:04:05.000Z');
insert into "passwords" ("userId", "hash", "changed") values ('ada', '$scrypt$ln=15,r=8,p=3$JVZw97duH/xImZTKTDJwRw$jIPRFs8DnQFAe5rj8gXP1tlKsHAQgqSl1ZgLAeFPU88', '1970-01-01T00:00:00.000Z');
