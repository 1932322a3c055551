create table "users" (
  "id" integer not null,
  "name" text,
  "email" text,
  "email_verified" text,
  "image" text,
  primary key ("id")
);
create unique index "users_email" on "users" ("email");
create table "accounts" (
  "provider" text not null,
  "provider_account_id" text not null,
  "user_id" integer not null,
  "type" text not null,
  "refresh_token" text,
  "access_token" text,
  "expires_at" integer,
  "token_type" text,
  "scope" text,
  "id_token" text,
  "session_state" text,
  primary key ("provider", "provider_account_id"),
  foreign key ("user_id") references "users" ("id") on delete cascade
);
create index "accounts_user_id" on "accounts" ("user_id");
create table "sessions" (
  "session_token" text not null,
  "user_id" integer not null,
  "expires" text not null,
  primary key ("session_token"),
  foreign key ("user_id") references "users" ("id") on delete cascade
);
create index "sessions_user_id" on "sessions" ("user_id");
create index "sessions_expires" on "sessions" ("expires");
create table "verification_tokens" (
  "identifier" text not null,
  "token" text not null,
  "expires" text not null,
  primary key ("identifier", "token")
);
create index "verification_tokens_expires" on "verification_tokens" ("expires");
create table "authenticators" (
  "credential_id" text not null,
  "user_id" integer not null,
  "provider_account_id" text not null,
  "credential_public_key" text not null,
  "counter" integer not null,
  "credential_device_type" text not null,
  "credential_backed_up" integer not null,
  "transports" text,
  "name" text,
  "last_used" text,
  "created" text,
  primary key ("credential_id"),
  foreign key ("user_id") references "users" ("id") on delete cascade
);
create index "authenticators_user_id" on "authenticators" ("user_id");
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
  "user_id" integer not null,
  "type" text not null,
  "secret" text not null,
  "name" text,
  "last_step" integer,
  "confirmed" integer not null,
  "created" text not null,
  primary key ("id"),
  foreign key ("user_id") references "users" ("id") on delete cascade
);
create index "factors_user_id" on "factors" ("user_id");
create table "passwords" (
  "user_id" integer not null,
  "hash" text not null,
  "changed" text not null,
  primary key ("user_id"),
  foreign key ("user_id") references "users" ("id") on delete cascade
);
insert into "users" ("id", "name", "email", "email_verified", "image") values
(1, 'Ada Lovelace', 'ada@example.com', '2026-01-02T03:04:05.000Z', NULL),
(2, 'Mixed Case', 'Mixed.Case@Example.com', '2026-01-02T03:04:05.000Z', NULL),
(3, 'Miles O''Brien; --', 'o''brien@example.com', NULL, NULL),
(4, '😀 é é', 'emoji@example.com', '2026-01-02T03:04:05.001Z', NULL),
(5, 'Without address', NULL, NULL, NULL);
insert into "accounts" ("provider", "provider_account_id", "user_id", "type", "refresh_token", "access_token", "expires_at", "token_type", "scope", "id_token", "session_state") values
('op', 'op:ada', 1, 'oidc', NULL, NULL, NULL, NULL, NULL, NULL, NULL),
('op', 'op:emoji', 4, 'oidc', NULL, NULL, NULL, NULL, NULL, NULL, NULL),
('op', 'op:mixed', 2, 'oidc', NULL, NULL, NULL, NULL, NULL, NULL, NULL),
('op', 'op:quote', 3, 'oidc', NULL, NULL, NULL, NULL, NULL, NULL, NULL),
('op', 'op:silent', 5, 'oidc', NULL, NULL, NULL, NULL, NULL, NULL, NULL),
('passkey', 'dGhlIHBhc3NrZXkgb2YgYSB1c2Vy', 4, 'webauthn', NULL, NULL, NULL, NULL, NULL, NULL, NULL),
('posted', 'posted:ada', 1, 'oauth', 'sealed '' ada', 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa', 1767323045, NULL, 'openid email', NULL, NULL),
('posted', 'posted:emoji', 4, 'oauth', 'sealed '' emoji', 'a', 1767323045, NULL, 'openid email', NULL, NULL),
('posted', 'posted:mixed', 2, 'oauth', 'sealed '' mixed', 'a', 1767323045, NULL, 'openid email', NULL, NULL),
('posted', 'posted:quote', 3, 'oauth', 'sealed '' quote', 'a', 1767323045, NULL, 'openid email', NULL, NULL),
('posted', 'posted:silent', 5, 'oauth', 'sealed '' silent', 'a', 1767323045, NULL, 'openid email', NULL, NULL),
('sealed', 'sealed:ada', 1, 'oidc', NULL, NULL, NULL, NULL, NULL, NULL, NULL),
('sealed', 'sealed:emoji', 4, 'oidc', NULL, 'lib1.eyJhbGciOiJkaXIiLCJlbmMiOiJBMjU2Q0JDLUhTNTEyIiwia2lkIjoiZ0dveXB0cVloRGFWT1pYeWZZVVQ0cm5PX2JVWTZVbGE1SE1qXzdRU1M4RXhnc0xxNDAzOTgyZ0dUbjlxUGZPR1BSdXNEZS1ackl5ZXhkYV82NWtYdmcifQ..aMc9OX1aODkS6Es05raApA.z0W-f0cQYQbG4z3lDPAvP1I-lJGg1Y1-dHLENHNK41Fn79ku2XJ6f_9JpPPWIjN9ueAOe9gzpo0voaN5m8xBK9_RdD0hSxe9iVhs84nH9RrxmVUkmtqdnNkApTu2eV2jxUW7gXoGHqKT5rcQUD6u6vB5tK_u5TArdhYM4U4PEHKafVhQOdIimivZ_NSsBuoIKbFswkU5dLUAvrVWp6S9CU4sK7SCqqvU26TM3e7yAqKLvj3YsnoaKM1_u3kVMQJYeMnIeXVe9fQhJnR2RUzW7AiFb9D-gRaAmGicUmLKSkmLEOC8vLPnFWjVb2UpuGgc.vPCD67v5TFu1QUE8bISFgRFVJWlcTAvbLJVC-RG2C7k', 2082683045, 'bearer', 'openid profile email', 'lib1.eyJhbGciOiJkaXIiLCJlbmMiOiJBMjU2Q0JDLUhTNTEyIiwia2lkIjoiZ0dveXB0cVloRGFWT1pYeWZZVVQ0cm5PX2JVWTZVbGE1SE1qXzdRU1M4RXhnc0xxNDAzOTgyZ0dUbjlxUGZPR1BSdXNEZS1ackl5ZXhkYV82NWtYdmcifQ..ZmDXa1i0TJrp5E1QplGgMA.DaK2MnWlOq3-KCMpRER5z9Ucg1BCXKnp75rYUUDjslul8CNWs-YkcwBELlCCcT9p3BFNR5xE4zsxb0ZcUjtV7oBmM28_EciDA5Qtd5RYMkwZOsPZMov90u82wmV2PhjZBssOdJ1jG3USF_bhHI7xJWsHrYARvztGOIeZdzgV0h3orjKDShPE8djfrNau2gmhzZWTQDhuOh2NXtepRmnX4f9nZnsLtFr1q_L0j1bwDMPGDrlhgRV89ptp5qcx90Nz6J1C-qz5azhc2ZUqrreK4ObU3Jt9ikZBLJqhms1Ik-tVGKP_e4VVz1GyBr1AIPvmYh-Vm0MsYmS8XOaLc8DV4ty5hKP6aHa31wtPPIYjrSQLy_d3DGqpuNF5XUf7hyIC_W4lv_gHx1ItMLXCt4gQFlpl3f-nQvqDyvi7Q5hvhBNAyT8n2SjkbqJs-ROHDyBPJYdAHZbWIiqdGo9TW7vij6kxAWJnbD9-su2KIXK9vGtP74hzsyDs-_fMkHKPHGP_agdU-svGtTMiehOCNiJme1H2VoEoc4ZJXvsYwCD4gDpdmcAqlG9Nz3qxPCkqQ007kp1YscWfk1563yLwzVs49iNohi5IWbOTwNjgctpuYs8DLC_AqWVCnrjx7RQuG0C9d7vFQkt3XKpJ35p7yhsFQ1EgOrNJyrDTv8EfheOavl_lTPhWpIa6um1Nb1f4WA8BbqFAh4NOsCC1z9p-ZzHnyw.lsw1h0rbAQxNuQPI5Q8F0vTyAG9tzRLGoP6gEdfqkAc', NULL),
('sealed', 'sealed:mixed', 2, 'oidc', NULL, NULL, NULL, NULL, NULL, NULL, NULL),
('sealed', 'sealed:quote', 3, 'oidc', NULL, NULL, NULL, NULL, NULL, NULL, NULL),
('sealed', 'sealed:silent', 5, 'oidc', NULL, NULL, NULL, NULL, NULL, NULL, NULL);
insert into "sessions" ("session_token", "user_id", "expires") values
('old of ada', 1, '2026-01-02T03:04:04.999Z'),
('old of emoji', 4, '2026-01-02T03:04:04.999Z'),
('old of mixed', 2, '2026-01-02T03:04:04.999Z'),
('old of quote', 3, '2026-01-02T03:04:04.999Z'),
('old of silent', 5, '2026-01-02T03:04:04.999Z'),
('session of ada', 1, '2126-01-01T00:00:00.000Z'),
('session of emoji', 4, '2126-01-01T00:00:00.000Z'),
('session of mixed', 2, '2126-01-01T00:00:00.000Z'),
('session of quote', 3, '2126-01-01T00:00:00.000Z'),
('session of silent', 5, '2126-01-01T00:00:00.000Z'),
('sha256:cc414da49ee8f863ebf8d8732959e5d618038a2fbcc49051963e9c682e9de1ef', 4, '2125-12-09T03:04:05.000Z');
insert into "verification_tokens" ("identifier", "token", "expires") values
('Mixed.Case@Example.com', 'token of mixed', '2126-01-01T00:00:00.000Z'),
('ada@example.com', 'token of ada', '2126-01-01T00:00:00.000Z'),
('emoji@example.com', 'cc0b67a0d45feb463be4e7f5db5c87a06c2361f3675a601a24e875a0fa676676', '2125-12-09T03:04:05.000Z'),
('emoji@example.com', 'token of emoji', '2126-01-01T00:00:00.000Z'),
('o''brien@example.com', 'token of quote', '2126-01-01T00:00:00.000Z');
insert into "authenticators" ("credential_id", "user_id", "provider_account_id", "credential_public_key", "counter", "credential_device_type", "credential_backed_up", "transports", "name", "last_used", "created") values
('dGhlIHBhc3NrZXkgb2YgYSB1c2Vy', 4, 'dGhlIHBhc3NrZXkgb2YgYSB1c2Vy', 'pQECAyYgASFYIL1qln5c8QjYa+IbEAHc34SgVh1wJCqzl5OQGKrg0c20IlggFPICnZWRar3qIpFt4rtjtGLgUsyNuB5QK/RM2sMtxVY=', 1, 'singleDevice', 0, 'hybrid,internal', NULL, NULL, '2026-01-02T03:04:05.000Z'),
('key of ada', 1, 'passkey:ada', 'cHVibGlj', 7, 'multiDevice', 1, 'internal,hybrid', NULL, NULL, '2026-01-02T03:04:05.000Z'),
('key of emoji', 4, 'passkey:emoji', 'cHVibGlj', 7, 'multiDevice', 1, 'internal,hybrid', NULL, NULL, '2026-01-02T03:04:05.000Z'),
('key of mixed', 2, 'passkey:mixed', 'cHVibGlj', 7, 'multiDevice', 1, 'internal,hybrid', NULL, NULL, '2026-01-02T03:04:05.000Z'),
('key of quote', 3, 'passkey:quote', 'cHVibGlj', 7, 'multiDevice', 1, 'internal,hybrid', NULL, NULL, '2026-01-02T03:04:05.000Z'),
('key of silent', 5, 'passkey:silent', 'cHVibGlj', 7, 'multiDevice', 1, 'internal,hybrid', NULL, NULL, '2026-01-02T03:04:05.000Z');
insert into "records" ("key", "value", "owner", "expires") values
('challenge:57d09ffebc9b0d8019b58d22c2c998383d618bf72294df1f72d7ce6fb8137e23', '', NULL, '2026-01-02T03:10:20.000Z'),
('ended:-qnOnbyYGRfpc-agZnn-kWPdj0aCFU1R1_t12JFonB0', '1', NULL, '2125-12-09T03:06:05.000Z'),
('forgotten:SyJ3d9TdH8Ycb4hPSGQdAr', '1767323165000', NULL, '2026-07-01T03:06:05.000Z'),
('limit:known:f29ac594ef093e3cd30d8b96a0b89738', '1767340325000', NULL, '2026-01-02T07:52:05.000Z'),
('limit:mail.hosts:5f0278386b1c7cffaa6b323e010eafab', '1767323345000', NULL, '2026-01-02T03:09:05.000Z'),
('limit:mail:1e0d207fdd27f3862a564c3b6dde8e56', '1767323345000', NULL, '2026-01-02T03:09:05.000Z'),
('limit:notice:58fc2ba56349cb0e26cc55f3de47c613', '1767323405000', NULL, '2026-01-02T03:10:05.000Z'),
('limit:password.account:ce3c482c6b259593c3cd6f53d2721213:no-address', '1767323135000', NULL, '2026-01-02T03:05:35.000Z'),
('limit:password.account:e569ea01f6721e49d95f6be8b82f6545:no-address', '1767323045000', NULL, '2026-01-02T03:04:05.000Z'),
('limit:password.day:ce3c482c6b259593c3cd6f53d2721213', '1767323909000', NULL, '2026-01-02T03:18:29.000Z'),
('limit:password.day:e569ea01f6721e49d95f6be8b82f6545', '1767323045000', NULL, '2026-01-02T03:04:05.000Z'),
('limit:password.hosts:0a090cff2f2b89e0e99aa2f418c8616d', '1767323045000', NULL, '2026-01-02T03:04:05.000Z'),
('limit:password.hosts:ea5bc26122a2921d9d4ccab09862dab0', '1767323131400', NULL, '2026-01-02T03:05:31.400Z'),
('links:wlzusgIkJn1NCeawf0E9oFIZxfon1aViN9Mnb4x_gPI', '{"cc0b67a0d45feb463be4e7f5db5c87a06c2361f3675a601a24e875a0fa676676":4920923045000}', NULL, '2125-12-09T03:04:05.000Z');
insert into "factors" ("id", "user_id", "type", "secret", "name", "last_step", "confirmed", "created") values
('445db2f3-6a0a-41b1-8b0a-de1049ec6a68', 4, 'recovery', 'e0b02c0227d92efd1a6a6cd6857cb6e733162898b22f75106092cf5c4fe2bd68', NULL, NULL, 1, '2026-01-02T03:04:05.000Z'),
('5cd0dbc3-bf67-4410-b9bf-2c4cfa3225f2', 4, 'recovery', '6c29c479828f325f2489ecc00041fcc29c5c0ab835526f4bcffe7b6e2fe23c2d', NULL, NULL, 1, '2026-01-02T03:04:05.000Z'),
('7f8f375e-228c-4fb2-9461-2bb0b2165fbb', 4, 'recovery', 'ebc26fc38d0282f00001520d827c193bd4d7bc8b829f85bfa8cefe2c96fdd327', NULL, NULL, 1, '2026-01-02T03:04:05.000Z'),
('98453317-3ceb-46ad-962c-09992eb8da0c', 4, 'recovery', 'bf132d30d567a0c1744ae379c824e023e06b3ce56fd9b2472cd47d61869577a5', NULL, NULL, 1, '2026-01-02T03:04:05.000Z'),
('9ff2aec9-fdc8-42c9-ad7a-790c1837cf3f', 4, 'recovery', 'f85c3e59f66bee661aa0684f0aaf246f54be6e1f2e544c05e25a41c559b8cd2b', NULL, NULL, 1, '2026-01-02T03:04:05.000Z'),
('a624feaa-4256-44cc-a068-ca48ca05cc8d', 4, 'recovery', 'e38991112abc85f437d3eeb219adae23bc7d25115b34061b59df3d569865273e', NULL, NULL, 1, '2026-01-02T03:04:05.000Z'),
('app of ada', 1, 'totp', 'sealed', NULL, NULL, 0, '2026-01-02T03:04:05.000Z'),
('app of emoji', 4, 'totp', 'sealed', NULL, NULL, 0, '2026-01-02T03:04:05.000Z'),
('app of mixed', 2, 'totp', 'sealed', NULL, NULL, 0, '2026-01-02T03:04:05.000Z'),
('app of quote', 3, 'totp', 'sealed', NULL, NULL, 0, '2026-01-02T03:04:05.000Z'),
('app of silent', 5, 'totp', 'sealed', NULL, NULL, 0, '2026-01-02T03:04:05.000Z'),
('b4f9d73c-40b4-4030-a27a-4a547e79617e', 4, 'recovery', '6ea149b2f2e922df839d412087f262b5702b63656fe1eaf24efbe9d304a9b85a', NULL, NULL, 1, '2026-01-02T03:04:05.000Z'),
('d09f78e1-d9b4-4441-b8f3-4994fe865224', 4, 'recovery', 'a751d15e5797ab4b3e7c9888b666d7002012a2cd141946ee5e2bd100184de714', NULL, NULL, 1, '2026-01-02T03:04:05.000Z'),
('db9859c6-873e-4408-8140-22263a442d62', 4, 'totp', 'eyJhbGciOiJkaXIiLCJlbmMiOiJBMjU2Q0JDLUhTNTEyIiwia2lkIjoiVnVfVldxREhtbWFENUVWeHpNUC1QSmV4VDVDYkVKQ1ZUZEtVblpRMkdDMEIxWlRXbDVEUXpaVnpHRHdROTE5alRRMXJOUzdnbGptMDAwZTkzUFhNRUEifQ..e89AXwZ6cOcvLMoTnCASwQ.Q8xBrDC1PIiHA8NVUt-zjurvrt_iVMyQlqli3E4NZUh3z3Fy49o9g357mztzq_zQx7ah8qraw9f_y5xT0Zr_u8bCqvWlMqKdhBTWd7VocQ7OKk5pa3azW87MdplGzjxK6IBLQ5zAps4uDgOetkj7rD7oSXoZxg1lqlAiUnnt8PwGucaTZecgRcSRe8KCHrDuT-dk5I58leBrwNAKaHnrMQ.jfCfzbZMxBD28d85P8h7Gcdq_U3N9YslvnzA8xfunVU', NULL, 58910767, 1, '2026-01-02T03:04:05.000Z'),
('e01cb8ab-8116-42c8-b659-532dd701687f', 4, 'recovery', '061ed88c3522e3d7008615787c9da2cef437c0d39de7546ca5a2aa8cd4eb8a81', NULL, NULL, 1, '2026-01-02T03:04:05.000Z'),
('f46ae112-1926-43f0-9475-ba495d83ac5a', 4, 'recovery', '7843e2f4e8ca42b82198568902f8be9956af55dcec34d3fce1a5228e0052761d', NULL, NULL, 1, '2026-01-02T03:04:05.000Z');
insert into "passwords" ("user_id", "hash", "changed") values
(1, '$scrypt$ln=15,r=8,p=3$rAWKwy/LHz9Dpf/roACtaA$6zkp+K2rcsWMVDYymNp6tiuxvwyk9TRjRr68dWkmuPU', '2026-01-02T03:04:05.000Z'),
(2, '$scrypt$ln=15,r=8,p=3$wze741ocVkE2G2ptGfn4Aw$ym6iGq/oqbkrRTWftohmEgL0WguJ79Jn4aebLaK8TfA', '2026-01-02T03:04:05.000Z'),
(3, '$scrypt$ln=15,r=8,p=3$54v40yO/qoLw6vyrlpySFA$lCbQs81aHBJq87we3QSNn4rjrO6MrTfJfKwKGrfMSeQ', '2026-01-02T03:04:05.000Z'),
(4, '$scrypt$ln=15,r=8,p=3$zJLTu3I6lwtShjCSc3XYEQ$WpYrCWUf9ZIjIclXm90XKztfCDKQZEcKGluvBcDDqfQ', '2026-01-02T03:04:05.000Z'),
(5, '$scrypt$ln=15,r=8,p=3$IWhbu9v5NU8eM3hu+cgr4g$R3gR81G5bhKNACQYnliMywUgEKTU8N1bAo6h0CF5+NA', '2026-01-02T03:04:05.000Z');
