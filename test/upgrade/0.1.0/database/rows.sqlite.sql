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
insert into "users" ("id", "name", "email", "emailVerified", "image") values
('0d0b9a0e-7f63-4a55-9a5c-6f3f1c1d7a11', 'Uuid', 'uuid@example.com', '2026-01-02T03:04:05.000Z', NULL),
('ada', 'Ada Lovelace', 'ada@example.com', '2026-01-02T03:04:05.000Z', NULL),
('domain', 'Umlaut', 'ada@münchen.example', '2026-01-02T03:04:05.000Z', NULL),
('emoji', '😀 é é', 'emoji@example.com', '2026-01-02T03:04:05.001Z', NULL),
('mixed', 'Mixed Case', 'Mixed.Case@Example.com', '2026-01-02T03:04:05.000Z', NULL),
('nameless', NULL, 'nameless@example.com', NULL, NULL),
('percent', '100 % "quoted" \', 'percent+tag@example.com', '1970-01-01T00:00:00.000Z', NULL),
('quote', 'Miles O''Brien; --', 'o''brien@example.com', NULL, NULL),
('silent', 'Without address', NULL, NULL, NULL);
insert into "accounts" ("provider", "providerAccountId", "userId", "type", "refresh_token", "access_token", "expires_at", "token_type", "scope", "id_token", "session_state") values
('op', 'op:0d0b9a0e-7f63-4a55-9a5c-6f3f1c1d7a11', '0d0b9a0e-7f63-4a55-9a5c-6f3f1c1d7a11', 'oidc', NULL, NULL, NULL, NULL, NULL, NULL, NULL),
('op', 'op:ada', 'ada', 'oidc', NULL, NULL, NULL, NULL, NULL, NULL, NULL),
('op', 'op:domain', 'domain', 'oidc', NULL, NULL, NULL, NULL, NULL, NULL, NULL),
('op', 'op:emoji', 'emoji', 'oidc', NULL, NULL, NULL, NULL, NULL, NULL, NULL),
('op', 'op:mixed', 'mixed', 'oidc', NULL, NULL, NULL, NULL, NULL, NULL, NULL),
('op', 'op:nameless', 'nameless', 'oidc', NULL, NULL, NULL, NULL, NULL, NULL, NULL),
('op', 'op:percent', 'percent', 'oidc', NULL, NULL, NULL, NULL, NULL, NULL, NULL),
('op', 'op:quote', 'quote', 'oidc', NULL, NULL, NULL, NULL, NULL, NULL, NULL),
('op', 'op:silent', 'silent', 'oidc', NULL, NULL, NULL, NULL, NULL, NULL, NULL),
('passkey', 'dGhlIHBhc3NrZXkgb2YgYSB1c2Vy', 'emoji', 'webauthn', NULL, NULL, NULL, NULL, NULL, NULL, NULL),
('posted', 'posted:0d0b9a0e-7f63-4a55-9a5c-6f3f1c1d7a11', '0d0b9a0e-7f63-4a55-9a5c-6f3f1c1d7a11', 'oauth', 'sealed '' 0d0b9a0e-7f63-4a55-9a5c-6f3f1c1d7a11', 'a', 1767323045, NULL, 'openid email', NULL, NULL),
('posted', 'posted:ada', 'ada', 'oauth', 'sealed '' ada', 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa', 1767323045, NULL, 'openid email', NULL, NULL),
('posted', 'posted:domain', 'domain', 'oauth', 'sealed '' domain', 'a', 1767323045, NULL, 'openid email', NULL, NULL),
('posted', 'posted:emoji', 'emoji', 'oauth', 'sealed '' emoji', 'a', 1767323045, NULL, 'openid email', NULL, NULL),
('posted', 'posted:mixed', 'mixed', 'oauth', 'sealed '' mixed', 'a', 1767323045, NULL, 'openid email', NULL, NULL),
('posted', 'posted:nameless', 'nameless', 'oauth', 'sealed '' nameless', 'a', 1767323045, NULL, 'openid email', NULL, NULL),
('posted', 'posted:percent', 'percent', 'oauth', 'sealed '' percent', 'a', 1767323045, NULL, 'openid email', NULL, NULL),
('posted', 'posted:quote', 'quote', 'oauth', 'sealed '' quote', 'a', 1767323045, NULL, 'openid email', NULL, NULL),
('posted', 'posted:silent', 'silent', 'oauth', 'sealed '' silent', 'a', 1767323045, NULL, 'openid email', NULL, NULL),
('sealed', 'sealed:0d0b9a0e-7f63-4a55-9a5c-6f3f1c1d7a11', '0d0b9a0e-7f63-4a55-9a5c-6f3f1c1d7a11', 'oidc', NULL, NULL, NULL, NULL, NULL, NULL, NULL),
('sealed', 'sealed:ada', 'ada', 'oidc', NULL, NULL, NULL, NULL, NULL, NULL, NULL),
('sealed', 'sealed:domain', 'domain', 'oidc', NULL, NULL, NULL, NULL, NULL, NULL, NULL),
('sealed', 'sealed:emoji', 'emoji', 'oidc', NULL, 'lib1.eyJhbGciOiJkaXIiLCJlbmMiOiJBMjU2Q0JDLUhTNTEyIiwia2lkIjoiZ0dveXB0cVloRGFWT1pYeWZZVVQ0cm5PX2JVWTZVbGE1SE1qXzdRU1M4RXhnc0xxNDAzOTgyZ0dUbjlxUGZPR1BSdXNEZS1ackl5ZXhkYV82NWtYdmcifQ..JfXXxL0YJshrG3tLXLloFg.Gc4gKx8YDmbZsQpv7W7npsm-Yr-59ZWsY_Ql4Wv2vtDzdSKRWHrES0cgFDNW6Onv4W1FJiMhtzbb9RRZUuOOpmNM0V8B4PmlU4spqj88h_Ti1a_F3-kDHT3zIxvTYzujJ5W-DqpvZ_eOd8MG5xuJSRlg7oNLaSw-n9g6uVO8wpWrO6dFG_NQTMoqSecJlst0-mjXnM6MXa4eA5CE2Xx7H4-PAFYW-a4p6ylyIBVtekxoYdoqSBhrjgY1fkFIF2kqHToM4Hk1s2nMns8-p-sypjzf08TWPYnHcYxy5cu7ptS6wohpWEaoPyJg5vkRy1vu.GeEsvrQ1MQiENJYHv8SrM83YL5CFV9OppWJQzQKrNBw', 2082683045, 'bearer', 'openid profile email', 'lib1.eyJhbGciOiJkaXIiLCJlbmMiOiJBMjU2Q0JDLUhTNTEyIiwia2lkIjoiZ0dveXB0cVloRGFWT1pYeWZZVVQ0cm5PX2JVWTZVbGE1SE1qXzdRU1M4RXhnc0xxNDAzOTgyZ0dUbjlxUGZPR1BSdXNEZS1ackl5ZXhkYV82NWtYdmcifQ..awiHcrrG9aY3NpoKDpFvuA.ekVIX398RuOZh7G_i7ZkgjkEPzjz6ml_ltZeOf3ZbJgEU6xWFDbLeohZpnp6xfXmkQegAvpyVuFGfl0K4BcqwTh4f-Bck18Lcibl_O1JOBh80YeT2OssnYD5A7uxUgE-OiM_vZZK3KuKdHu9OZhTALv8RG3GOKtcfBowKj5zaiQXo9d3kckS4wqDPHSt1eoq1wy7ugOxEzvALByS95HIF6aQE7d4Dax9FiZIKp6BsORoIiBACnXd0kdIsYx_-MvRQGcaPsnK-8zBr-9VxJ3x0F4pvI9Q-f_2S-JXvk3sgR-ZlBMgNXcJoZTuFs7dTbgT4QwJmmFQZpEgy2bWOEHNArXU4HlLOMq3nCwGEeMN-Y9tNY6_XAXDgd3jsFTBXSVbKjobkBtsuw7ypEbS_uINk2hxBdTNsUMp07p-07J0g9de-z-a4S-Jjwy2cCQzLUS7feKkt5k29U-v2tUOVYgawVUBkPD2OJnhO2cqBzKZFku0jvdkdxvV2bwE2iH5NSlZyok5XSEcopcoc5Lyt9ANz2IcMpHLUWNaOZKYn49LU4Vgl6t_megNIvw2Re0a47IXWKfiBsa1IlVSYTLMWSnxsUpSCciBNBPm3IyDQHxSI2wdSnUcQZCY3Oraf_Ag5N_NMkS-CRXAChPLvdkahpVjicgVE88rO9ooNTaENgGfgIEC8E_-6R6dHYezYL7xLO_fusMJXVn_AgDq5jvYM1bccw.x4ig8zLEhIYPlK8deRndNbwGZt_SEvfA4Av2OM5ErjQ', NULL),
('sealed', 'sealed:mixed', 'mixed', 'oidc', NULL, NULL, NULL, NULL, NULL, NULL, NULL),
('sealed', 'sealed:nameless', 'nameless', 'oidc', NULL, NULL, NULL, NULL, NULL, NULL, NULL),
('sealed', 'sealed:percent', 'percent', 'oidc', NULL, NULL, NULL, NULL, NULL, NULL, NULL),
('sealed', 'sealed:quote', 'quote', 'oidc', NULL, NULL, NULL, NULL, NULL, NULL, NULL),
('sealed', 'sealed:silent', 'silent', 'oidc', NULL, NULL, NULL, NULL, NULL, NULL, NULL);
insert into "sessions" ("sessionToken", "userId", "expires") values
('old of 0d0b9a0e-7f63-4a55-9a5c-6f3f1c1d7a11', '0d0b9a0e-7f63-4a55-9a5c-6f3f1c1d7a11', '2026-01-02T03:04:04.999Z'),
('old of ada', 'ada', '2026-01-02T03:04:04.999Z'),
('old of domain', 'domain', '2026-01-02T03:04:04.999Z'),
('old of emoji', 'emoji', '2026-01-02T03:04:04.999Z'),
('old of mixed', 'mixed', '2026-01-02T03:04:04.999Z'),
('old of nameless', 'nameless', '2026-01-02T03:04:04.999Z'),
('old of percent', 'percent', '2026-01-02T03:04:04.999Z'),
('old of quote', 'quote', '2026-01-02T03:04:04.999Z'),
('old of silent', 'silent', '2026-01-02T03:04:04.999Z'),
('session of 0d0b9a0e-7f63-4a55-9a5c-6f3f1c1d7a11', '0d0b9a0e-7f63-4a55-9a5c-6f3f1c1d7a11', '2126-01-01T00:00:00.000Z'),
('session of ada', 'ada', '2126-01-01T00:00:00.000Z'),
('session of domain', 'domain', '2126-01-01T00:00:00.000Z'),
('session of emoji', 'emoji', '2126-01-01T00:00:00.000Z'),
('session of mixed', 'mixed', '2126-01-01T00:00:00.000Z'),
('session of nameless', 'nameless', '2126-01-01T00:00:00.000Z'),
('session of percent', 'percent', '2126-01-01T00:00:00.000Z'),
('session of quote', 'quote', '2126-01-01T00:00:00.000Z'),
('session of silent', 'silent', '2126-01-01T00:00:00.000Z'),
('sha256:5cd09141a75d1062d68fbda54d0c4a0b4c9f4032daaf3ac6a3ff8a6f7e0f8b9b', 'emoji', '2125-12-09T03:04:05.000Z');
insert into "verification_tokens" ("identifier", "token", "expires") values
('Mixed.Case@Example.com', 'token of mixed', '2126-01-01T00:00:00.000Z'),
('ada@example.com', 'token of ada', '2126-01-01T00:00:00.000Z'),
('ada@münchen.example', 'token of domain', '2126-01-01T00:00:00.000Z'),
('emoji@example.com', '846f1734cf188f9ee4cb7f348f411df32666be69927db560067cf7909f8137fc', '2125-12-09T03:04:05.000Z'),
('emoji@example.com', 'token of emoji', '2126-01-01T00:00:00.000Z'),
('nameless@example.com', 'token of nameless', '2126-01-01T00:00:00.000Z'),
('o''brien@example.com', 'token of quote', '2126-01-01T00:00:00.000Z'),
('percent+tag@example.com', 'token of percent', '2126-01-01T00:00:00.000Z'),
('uuid@example.com', 'token of 0d0b9a0e-7f63-4a55-9a5c-6f3f1c1d7a11', '2126-01-01T00:00:00.000Z');
insert into "authenticators" ("credentialID", "userId", "providerAccountId", "credentialPublicKey", "counter", "credentialDeviceType", "credentialBackedUp", "transports", "name", "lastUsed", "created") values
('dGhlIHBhc3NrZXkgb2YgYSB1c2Vy', 'emoji', 'dGhlIHBhc3NrZXkgb2YgYSB1c2Vy', 'pQECAyYgASFYIJEi5bHii5q2cfJQZBUl/jgm2PPBwL8RaiiVlrMByf8oIlggKzdSdskeZ+O7gOLwHi3adMNJlRArct2p3Ktp2MJmCsI=', 1, 'singleDevice', 0, 'hybrid,internal', NULL, NULL, '2026-01-02T03:04:05.000Z'),
('key of 0d0b9a0e-7f63-4a55-9a5c-6f3f1c1d7a11', '0d0b9a0e-7f63-4a55-9a5c-6f3f1c1d7a11', 'passkey:0d0b9a0e-7f63-4a55-9a5c-6f3f1c1d7a11', 'cHVibGlj', 7, 'multiDevice', 1, 'internal,hybrid', NULL, NULL, '2026-01-02T03:04:05.000Z'),
('key of ada', 'ada', 'passkey:ada', 'cHVibGlj', 7, 'multiDevice', 1, 'internal,hybrid', NULL, NULL, '2026-01-02T03:04:05.000Z'),
('key of domain', 'domain', 'passkey:domain', 'cHVibGlj', 7, 'multiDevice', 1, 'internal,hybrid', NULL, NULL, '2026-01-02T03:04:05.000Z'),
('key of emoji', 'emoji', 'passkey:emoji', 'cHVibGlj', 7, 'multiDevice', 1, 'internal,hybrid', NULL, NULL, '2026-01-02T03:04:05.000Z'),
('key of mixed', 'mixed', 'passkey:mixed', 'cHVibGlj', 7, 'multiDevice', 1, 'internal,hybrid', NULL, NULL, '2026-01-02T03:04:05.000Z'),
('key of nameless', 'nameless', 'passkey:nameless', 'cHVibGlj', 7, 'multiDevice', 1, 'internal,hybrid', NULL, NULL, '2026-01-02T03:04:05.000Z'),
('key of percent', 'percent', 'passkey:percent', 'cHVibGlj', 7, 'multiDevice', 1, 'internal,hybrid', NULL, NULL, '2026-01-02T03:04:05.000Z'),
('key of quote', 'quote', 'passkey:quote', 'cHVibGlj', 7, 'multiDevice', 1, 'internal,hybrid', NULL, NULL, '2026-01-02T03:04:05.000Z'),
('key of silent', 'silent', 'passkey:silent', 'cHVibGlj', 7, 'multiDevice', 1, 'internal,hybrid', NULL, NULL, '2026-01-02T03:04:05.000Z');
insert into "records" ("key", "value", "owner", "expires") values
('challenge:3497a107b3dba1821387c1e8a30b6d3f06559fc8dc466338bfcc585a22bccf6b', '', NULL, '2026-01-02T03:10:20.000Z'),
('ended:4AU56KAj0FvT_nXwzrGBRqW17U-XRoBhOT5E0spPB34', '1', NULL, '2125-12-09T03:06:05.000Z'),
('forgotten:QDDwwLmbpeGJtv4pVEioyj', '1767323165000', NULL, '2026-07-01T03:06:05.000Z'),
('limit:known:635b5dfa0e6bad9fdd2d83ca154c891e', '1767340325000', NULL, '2026-01-02T07:52:05.000Z'),
('limit:mail.hosts:5f0278386b1c7cffaa6b323e010eafab', '1767323345000', NULL, '2026-01-02T03:09:05.000Z'),
('limit:mail:1e0d207fdd27f3862a564c3b6dde8e56', '1767323345000', NULL, '2026-01-02T03:09:05.000Z'),
('limit:notice:4d88d6b2d7d9519d9a4771a0079baabb', '1767323405000', NULL, '2026-01-02T03:10:05.000Z'),
('limit:password.account:ce3c482c6b259593c3cd6f53d2721213:no-address', '1767323135000', NULL, '2026-01-02T03:05:35.000Z'),
('limit:password.account:e569ea01f6721e49d95f6be8b82f6545:no-address', '1767323045000', NULL, '2026-01-02T03:04:05.000Z'),
('limit:password.day:ce3c482c6b259593c3cd6f53d2721213', '1767323909000', NULL, '2026-01-02T03:18:29.000Z'),
('limit:password.day:e569ea01f6721e49d95f6be8b82f6545', '1767323045000', NULL, '2026-01-02T03:04:05.000Z'),
('limit:password.hosts:0a090cff2f2b89e0e99aa2f418c8616d', '1767323045000', NULL, '2026-01-02T03:04:05.000Z'),
('limit:password.hosts:ea5bc26122a2921d9d4ccab09862dab0', '1767323131400', NULL, '2026-01-02T03:05:31.400Z'),
('links:wlzusgIkJn1NCeawf0E9oFIZxfon1aViN9Mnb4x_gPI', '{"846f1734cf188f9ee4cb7f348f411df32666be69927db560067cf7909f8137fc":4920923045000}', NULL, '2125-12-09T03:04:05.000Z');
insert into "factors" ("id", "userId", "type", "secret", "name", "lastStep", "confirmed", "created") values
('0f6d5653-bb3b-485b-a19d-a5410a3d3340', 'emoji', 'recovery', '5c830ebd3c8a4cd6452bd4dc31e6988d8b2238bd03a494065d650fe16adf1497', NULL, NULL, 1, '2026-01-02T03:04:05.000Z'),
('1b9b6210-d217-4b4d-b0e6-32a18fdd1083', 'emoji', 'recovery', 'ee69b708d03ae9818c8e4b55facf3c01014a0503ed0b09d4beb9b1e2b4a9bfe2', NULL, NULL, 1, '2026-01-02T03:04:05.000Z'),
('4585255f-0a2a-456c-b6e4-b215d33600e7', 'emoji', 'recovery', '6c6b6af517dd48fc679e66e48107e7a432370dfc08e27043d6f1267fcb81bbdf', NULL, NULL, 1, '2026-01-02T03:04:05.000Z'),
('693d9ad6-01a9-422e-b82f-3d3d45faf415', 'emoji', 'recovery', '468b24057fc8d1c71413f830dcaca041b8b799ee5715047276d46ffc289466eb', NULL, NULL, 1, '2026-01-02T03:04:05.000Z'),
('6ade4d24-2b73-4e72-b656-1b2267b336f3', 'emoji', 'recovery', '6bb1163e3af6bf1247aec835880567f51065078b67332c409ef12ef103073e91', NULL, NULL, 1, '2026-01-02T03:04:05.000Z'),
('6bece34c-ff0d-4e54-97d8-be4216cee91a', 'emoji', 'totp', 'eyJhbGciOiJkaXIiLCJlbmMiOiJBMjU2Q0JDLUhTNTEyIiwia2lkIjoiVnVfVldxREhtbWFENUVWeHpNUC1QSmV4VDVDYkVKQ1ZUZEtVblpRMkdDMEIxWlRXbDVEUXpaVnpHRHdROTE5alRRMXJOUzdnbGptMDAwZTkzUFhNRUEifQ..PYu-fEsSC7uUjuOpRi5Q1w.tKUtDgfrER1eYGQcRTGXb6n5k3KerQupLkUpcFhbGP7C59Xk12yVoKtk_iQtOhwJFDNwMmKXSko126KYB1WeMNB57GuTUOzUmNxT1gIeWQnnnDejnAgF-saUvowY8BEevCstSI9pB47OdDw38oG-mzCRkWJ1BrbAhHcUWy9pvxYMyAB88Z62Vl3skn3SureGtmpPWaEvHDOZkxaweMaUSjtvR1MxGtG0gBVjb_ghjrc.aV-NkZA6jBfOCKykRWw9RM8RRWA5rimLXHtJEAvjjvE', NULL, 58910767, 1, '2026-01-02T03:04:05.000Z'),
('877bfe15-a35d-444f-8a6e-dfb8103ab3b3', 'emoji', 'recovery', '9555a12d04b5d02e742868633d57877bf316a2e23c7e1edc469a2554f9e673a4', NULL, NULL, 1, '2026-01-02T03:04:05.000Z'),
('app of 0d0b9a0e-7f63-4a55-9a5c-6f3f1c1d7a11', '0d0b9a0e-7f63-4a55-9a5c-6f3f1c1d7a11', 'totp', 'sealed', NULL, NULL, 0, '2026-01-02T03:04:05.000Z'),
('app of ada', 'ada', 'totp', 'sealed', NULL, NULL, 0, '2026-01-02T03:04:05.000Z'),
('app of domain', 'domain', 'totp', 'sealed', NULL, NULL, 0, '2026-01-02T03:04:05.000Z'),
('app of emoji', 'emoji', 'totp', 'sealed', NULL, NULL, 0, '2026-01-02T03:04:05.000Z'),
('app of mixed', 'mixed', 'totp', 'sealed', NULL, NULL, 0, '2026-01-02T03:04:05.000Z'),
('app of nameless', 'nameless', 'totp', 'sealed', NULL, NULL, 0, '2026-01-02T03:04:05.000Z'),
('app of percent', 'percent', 'totp', 'sealed', NULL, NULL, 0, '2026-01-02T03:04:05.000Z'),
('app of quote', 'quote', 'totp', 'sealed', NULL, NULL, 0, '2026-01-02T03:04:05.000Z'),
('app of silent', 'silent', 'totp', 'sealed', NULL, NULL, 0, '2026-01-02T03:04:05.000Z'),
('b8876883-6b70-4e70-8a87-d42cd32f94dc', 'emoji', 'recovery', '5f8842d030001df8d425dd15ed55a43300cf95af2fb0db2991aa7112f5f2a345', NULL, NULL, 1, '2026-01-02T03:04:05.000Z'),
('d27e8de7-42f8-4f46-86c1-004e15dcd539', 'emoji', 'recovery', 'b7122687c1ced9efa1c773604926f318cc88978af847c4057e97ca3f44515d1f', NULL, NULL, 1, '2026-01-02T03:04:05.000Z'),
('f20398a2-a37e-4b49-b3ce-387f571cb436', 'emoji', 'recovery', 'eec33cfa618483a21132be539703bcfd72ffb39d03ccc061d9440f671fef8ab6', NULL, NULL, 1, '2026-01-02T03:04:05.000Z'),
('f98a8348-ac70-472a-842b-e07fbf15215d', 'emoji', 'recovery', '964798279cf030c23e404884c31512015d2fe81865faeb0a0013cf746db5a5c9', NULL, NULL, 1, '2026-01-02T03:04:05.000Z');
insert into "passwords" ("userId", "hash", "changed") values
('0d0b9a0e-7f63-4a55-9a5c-6f3f1c1d7a11', '$scrypt$ln=15,r=8,p=3$zz3oPL2Y/0ENT++BJbrBZA$QHacag653kc+2iHA8CQ7cTrXPmmkCN8ydmKUnM0/fiE', '2026-01-02T03:04:05.000Z'),
('ada', '$scrypt$ln=15,r=8,p=3$ZBNDnpgFej4ZaVK2QcxvGA$kZg+ceP1LPiijyHwJsXnVrFaUBGwcZBUooOJ9XsN2oY', '2026-01-02T03:04:05.000Z'),
('domain', '$scrypt$ln=15,r=8,p=3$m4Q3qUypvdqjAtNdO+cXPg$Ew39xLGJvOIE7Rr1ImQ6jsKksN4zE4x4SmQlZF0uuzc', '2026-01-02T03:04:05.000Z'),
('emoji', '$scrypt$ln=15,r=8,p=3$a1oEWFSOsRnXfd9++AjjqA$iJOQZNnfNebF8Ord4RoZhihTVIpECjV4tbnM5IAyuhI', '2026-01-02T03:04:05.000Z'),
('mixed', '$scrypt$ln=15,r=8,p=3$ghFzkVS+MVgUYZeV841pgg$xsar4LwEQD76W3MbULfH1nWWru+7yJUT0T+/dmyqm9E', '2026-01-02T03:04:05.000Z'),
('nameless', '$scrypt$ln=15,r=8,p=3$unEn5wREG/UKRq9mzp6rBQ$IYb1LLUBs9uGebUoKcB6KDI7pf7YdiQcD4HWvaWwAcs', '2026-01-02T03:04:05.000Z'),
('percent', '$scrypt$ln=15,r=8,p=3$9g7dO/hOJCZVofo2XcK9JA$lRVO9k4+JyECCQ2PMEOWtg0l05CrjHBf4gMZBddPtE8', '2026-01-02T03:04:05.000Z'),
('quote', '$scrypt$ln=15,r=8,p=3$YCD4icm7+j0H7o5vdti+VQ$ltQc3TMEQJgXLCJhjZQF0gteOsRXjhsfN1AAXmj3M4E', '2026-01-02T03:04:05.000Z'),
('silent', '$scrypt$ln=15,r=8,p=3$6fvObfHy0geNl1VilJEceQ$qWIWZ5PpnpP8d0kwcEZIFiUAR+WTclaTvu8M+94EtUs', '2026-01-02T03:04:05.000Z');
