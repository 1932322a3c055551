create table "users" (
  "id" text not null,
  "name" text,
  "email" text,
  "emailVerified" timestamptz(3),
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
  "expires_at" bigint,
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
  "expires" timestamptz(3) not null,
  primary key ("sessionToken"),
  foreign key ("userId") references "users" ("id") on delete cascade
);
create index "sessions_userId" on "sessions" ("userId");
create index "sessions_expires" on "sessions" ("expires");
create table "verification_tokens" (
  "identifier" text not null,
  "token" text not null,
  "expires" timestamptz(3) not null,
  primary key ("identifier", "token")
);
create index "verification_tokens_expires" on "verification_tokens" ("expires");
create table "authenticators" (
  "credentialID" text not null,
  "userId" text not null,
  "providerAccountId" text not null,
  "credentialPublicKey" text not null,
  "counter" bigint not null,
  "credentialDeviceType" text not null,
  "credentialBackedUp" boolean not null,
  "transports" text,
  "name" text,
  "lastUsed" timestamptz(3),
  "created" timestamptz(3),
  primary key ("credentialID"),
  foreign key ("userId") references "users" ("id") on delete cascade
);
create index "authenticators_userId" on "authenticators" ("userId");
create table "records" (
  "key" text not null,
  "value" text not null,
  "owner" text,
  "expires" timestamptz(3) not null,
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
  "lastStep" bigint,
  "confirmed" boolean not null,
  "created" timestamptz(3) not null,
  primary key ("id"),
  foreign key ("userId") references "users" ("id") on delete cascade
);
create index "factors_userId" on "factors" ("userId");
create table "passwords" (
  "userId" text not null,
  "hash" text not null,
  "changed" timestamptz(3) not null,
  primary key ("userId"),
  foreign key ("userId") references "users" ("id") on delete cascade
);
insert into "users" ("id", "name", "email", "emailVerified", "image") values
('0d0b9a0e-7f63-4a55-9a5c-6f3f1c1d7a11', 'Uuid', 'uuid@example.com', '2026-01-02 03:04:05+00', NULL),
('ada', 'Ada Lovelace', 'ada@example.com', '2026-01-02 03:04:05+00', NULL),
('domain', 'Umlaut', 'ada@münchen.example', '2026-01-02 03:04:05+00', NULL),
('emoji', '😀 é é', 'emoji@example.com', '2026-01-02 03:04:05.001+00', NULL),
('mixed', 'Mixed Case', 'Mixed.Case@Example.com', '2026-01-02 03:04:05+00', NULL),
('nameless', NULL, 'nameless@example.com', NULL, NULL),
('percent', E'100 % "quoted" \\', 'percent+tag@example.com', '1970-01-01 00:00:00+00', NULL),
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
('posted', 'posted:0d0b9a0e-7f63-4a55-9a5c-6f3f1c1d7a11', '0d0b9a0e-7f63-4a55-9a5c-6f3f1c1d7a11', 'oauth', 'sealed '' 0d0b9a0e-7f63-4a55-9a5c-6f3f1c1d7a11', 'a', '1767323045', NULL, 'openid email', NULL, NULL),
('posted', 'posted:ada', 'ada', 'oauth', 'sealed '' ada', 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa', '1767323045', NULL, 'openid email', NULL, NULL),
('posted', 'posted:domain', 'domain', 'oauth', 'sealed '' domain', 'a', '1767323045', NULL, 'openid email', NULL, NULL),
('posted', 'posted:emoji', 'emoji', 'oauth', 'sealed '' emoji', 'a', '1767323045', NULL, 'openid email', NULL, NULL),
('posted', 'posted:mixed', 'mixed', 'oauth', 'sealed '' mixed', 'a', '1767323045', NULL, 'openid email', NULL, NULL),
('posted', 'posted:nameless', 'nameless', 'oauth', 'sealed '' nameless', 'a', '1767323045', NULL, 'openid email', NULL, NULL),
('posted', 'posted:percent', 'percent', 'oauth', 'sealed '' percent', 'a', '1767323045', NULL, 'openid email', NULL, NULL),
('posted', 'posted:quote', 'quote', 'oauth', 'sealed '' quote', 'a', '1767323045', NULL, 'openid email', NULL, NULL),
('posted', 'posted:silent', 'silent', 'oauth', 'sealed '' silent', 'a', '1767323045', NULL, 'openid email', NULL, NULL),
('sealed', 'sealed:0d0b9a0e-7f63-4a55-9a5c-6f3f1c1d7a11', '0d0b9a0e-7f63-4a55-9a5c-6f3f1c1d7a11', 'oidc', NULL, NULL, NULL, NULL, NULL, NULL, NULL),
('sealed', 'sealed:ada', 'ada', 'oidc', NULL, NULL, NULL, NULL, NULL, NULL, NULL),
('sealed', 'sealed:domain', 'domain', 'oidc', NULL, NULL, NULL, NULL, NULL, NULL, NULL),
('sealed', 'sealed:emoji', 'emoji', 'oidc', NULL, 'lib1.eyJhbGciOiJkaXIiLCJlbmMiOiJBMjU2Q0JDLUhTNTEyIiwia2lkIjoiZ0dveXB0cVloRGFWT1pYeWZZVVQ0cm5PX2JVWTZVbGE1SE1qXzdRU1M4RXhnc0xxNDAzOTgyZ0dUbjlxUGZPR1BSdXNEZS1ackl5ZXhkYV82NWtYdmcifQ..kf8KTKrFOOdIUR8VpdRloQ.UkCllatbJHPmR7t3n20HqsugKvx4RnaWGhZ-5RmjK3dfk5rdYZEZDO_DBGM2wjxHaAgDjVl8bFGieVQSZEt6m8tywjErszhBlJefBcwZURTytHVMfOQk-RkS6Hu-6fKLTPlekfA37nJXPTNRtT74rYg2zPXu2pxOQ5B-YAiaWw_vx2VMQFPijB1JsAG8xwEGSFeR1_xa-Yl4RK2UTV56o15O7dptNEl6BxXJi47pnUTX0IHVJkLyRa3_iWwOapEXP3VqAT4bhF_jm6AhBzbIANL9Dt8FjWqiP5kLCehlUwRBrhWEA-ueYuhIxDoYJIqs.8lUm1QxNvqnwX8tjZtmtT6w9pY20BHaUyN_z690FmGE', '2082683045', 'bearer', 'openid profile email', 'lib1.eyJhbGciOiJkaXIiLCJlbmMiOiJBMjU2Q0JDLUhTNTEyIiwia2lkIjoiZ0dveXB0cVloRGFWT1pYeWZZVVQ0cm5PX2JVWTZVbGE1SE1qXzdRU1M4RXhnc0xxNDAzOTgyZ0dUbjlxUGZPR1BSdXNEZS1ackl5ZXhkYV82NWtYdmcifQ..Okj_WyGXUE-k-FPezL9pGQ.mgVrOYOrZtpHbfyMbEDNvUERb1IgnUF-oxiy6_fV336PftRiAop_9gquG92Ud9rar7FEtfCBUnSzXd9SHOuV0I6jneGK9VppTm7xrH4OUa0NAO-HIcdv6C4LX0g-pG-YuRuDGitjJpdtp8MqdNT0h4QznxOEiMsiiXTldixe4J5u-sds0hZ-cNmcKw_UdqZZLd9dog7e3RDx7V9lCscgCy_p2C_zI2FJH0ccvcxpHP8E_ySWrB_JRvJ8dJZS4V_C0sJsOXdaiRUOH0dyBKRY3bwxlrYYAh_ZyA9aTNE0kCFuAQdRCcSxRyzGngTNC4COfroVWd9iBl77BlXX6Nyp4yLRDVRgbsFGEqW7SbD9ADUudGpmnrEm4-A6NhB2s8g8ZXYwA6STLIJYq08SP3imjIXeuDlZq3htBsSBr6oQJwGZjaSwHfR8f3-2xxUjAzelMaKjwfsaZJa5Yg6-XYfva4u2bRDicg_vd8GWiV73skIt-BcVG_YsR4j86D5d-FD_SPqWv29rb2f6OVlttrPUoeaoDKpII4W8wEhLHfaDtkpAyNTPtUWAIgeGfqKaOiUYcF8QJ40SqPB7nObWL5c2mhzSFL25LEZk0do9J7XgEywFJq5oFnVvLPLbMfSMd8E3CiMyU82sWUjV056_a7OyAtNLGWBxVE-iucbpnu7VPnQxj3IHzYyBovLPRJ38a8CVgXyxJ-MVEfzdnLGOOb2GtQ.wBmfxF4PJ04HH8_5TezMT4oNRPByWC5Ak1JXuUFxai0', NULL),
('sealed', 'sealed:mixed', 'mixed', 'oidc', NULL, NULL, NULL, NULL, NULL, NULL, NULL),
('sealed', 'sealed:nameless', 'nameless', 'oidc', NULL, NULL, NULL, NULL, NULL, NULL, NULL),
('sealed', 'sealed:percent', 'percent', 'oidc', NULL, NULL, NULL, NULL, NULL, NULL, NULL),
('sealed', 'sealed:quote', 'quote', 'oidc', NULL, NULL, NULL, NULL, NULL, NULL, NULL),
('sealed', 'sealed:silent', 'silent', 'oidc', NULL, NULL, NULL, NULL, NULL, NULL, NULL);
insert into "sessions" ("sessionToken", "userId", "expires") values
('old of 0d0b9a0e-7f63-4a55-9a5c-6f3f1c1d7a11', '0d0b9a0e-7f63-4a55-9a5c-6f3f1c1d7a11', '2026-01-02 03:04:04.999+00'),
('old of ada', 'ada', '2026-01-02 03:04:04.999+00'),
('old of domain', 'domain', '2026-01-02 03:04:04.999+00'),
('old of emoji', 'emoji', '2026-01-02 03:04:04.999+00'),
('old of mixed', 'mixed', '2026-01-02 03:04:04.999+00'),
('old of nameless', 'nameless', '2026-01-02 03:04:04.999+00'),
('old of percent', 'percent', '2026-01-02 03:04:04.999+00'),
('old of quote', 'quote', '2026-01-02 03:04:04.999+00'),
('old of silent', 'silent', '2026-01-02 03:04:04.999+00'),
('session of 0d0b9a0e-7f63-4a55-9a5c-6f3f1c1d7a11', '0d0b9a0e-7f63-4a55-9a5c-6f3f1c1d7a11', '2126-01-01 00:00:00+00'),
('session of ada', 'ada', '2126-01-01 00:00:00+00'),
('session of domain', 'domain', '2126-01-01 00:00:00+00'),
('session of emoji', 'emoji', '2126-01-01 00:00:00+00'),
('session of mixed', 'mixed', '2126-01-01 00:00:00+00'),
('session of nameless', 'nameless', '2126-01-01 00:00:00+00'),
('session of percent', 'percent', '2126-01-01 00:00:00+00'),
('session of quote', 'quote', '2126-01-01 00:00:00+00'),
('session of silent', 'silent', '2126-01-01 00:00:00+00'),
('sha256:74fdcc137130496f494dd2b9106b47b7d42c5c0244a44e825d09cb65d2f2751f', 'emoji', '2125-12-09 03:04:05+00');
insert into "verification_tokens" ("identifier", "token", "expires") values
('Mixed.Case@Example.com', 'token of mixed', '2126-01-01 00:00:00+00'),
('ada@example.com', 'token of ada', '2126-01-01 00:00:00+00'),
('ada@münchen.example', 'token of domain', '2126-01-01 00:00:00+00'),
('emoji@example.com', '27affc6ee8c6a506661ffd153b1e60b2ba56239c9c72657b7b3b272949400e83', '2125-12-09 03:04:05+00'),
('emoji@example.com', 'token of emoji', '2126-01-01 00:00:00+00'),
('nameless@example.com', 'token of nameless', '2126-01-01 00:00:00+00'),
('o''brien@example.com', 'token of quote', '2126-01-01 00:00:00+00'),
('percent+tag@example.com', 'token of percent', '2126-01-01 00:00:00+00'),
('uuid@example.com', 'token of 0d0b9a0e-7f63-4a55-9a5c-6f3f1c1d7a11', '2126-01-01 00:00:00+00');
insert into "authenticators" ("credentialID", "userId", "providerAccountId", "credentialPublicKey", "counter", "credentialDeviceType", "credentialBackedUp", "transports", "name", "lastUsed", "created") values
('dGhlIHBhc3NrZXkgb2YgYSB1c2Vy', 'emoji', 'dGhlIHBhc3NrZXkgb2YgYSB1c2Vy', 'pQECAyYgASFYICHeHyLCUR7r8Z5bg7sevUVzSk2/79u4hSbbnW3SacHEIlggkScsAtkres07lVojWacOY2y0Lnak6Rj+4zkzu+eoD/M=', '1', 'singleDevice', 'false', 'hybrid,internal', NULL, NULL, '2026-01-02 03:04:05+00'),
('key of 0d0b9a0e-7f63-4a55-9a5c-6f3f1c1d7a11', '0d0b9a0e-7f63-4a55-9a5c-6f3f1c1d7a11', 'passkey:0d0b9a0e-7f63-4a55-9a5c-6f3f1c1d7a11', 'cHVibGlj', '7', 'multiDevice', 'true', 'internal,hybrid', NULL, NULL, '2026-01-02 03:04:05+00'),
('key of ada', 'ada', 'passkey:ada', 'cHVibGlj', '7', 'multiDevice', 'true', 'internal,hybrid', NULL, NULL, '2026-01-02 03:04:05+00'),
('key of domain', 'domain', 'passkey:domain', 'cHVibGlj', '7', 'multiDevice', 'true', 'internal,hybrid', NULL, NULL, '2026-01-02 03:04:05+00'),
('key of emoji', 'emoji', 'passkey:emoji', 'cHVibGlj', '7', 'multiDevice', 'true', 'internal,hybrid', NULL, NULL, '2026-01-02 03:04:05+00'),
('key of mixed', 'mixed', 'passkey:mixed', 'cHVibGlj', '7', 'multiDevice', 'true', 'internal,hybrid', NULL, NULL, '2026-01-02 03:04:05+00'),
('key of nameless', 'nameless', 'passkey:nameless', 'cHVibGlj', '7', 'multiDevice', 'true', 'internal,hybrid', NULL, NULL, '2026-01-02 03:04:05+00'),
('key of percent', 'percent', 'passkey:percent', 'cHVibGlj', '7', 'multiDevice', 'true', 'internal,hybrid', NULL, NULL, '2026-01-02 03:04:05+00'),
('key of quote', 'quote', 'passkey:quote', 'cHVibGlj', '7', 'multiDevice', 'true', 'internal,hybrid', NULL, NULL, '2026-01-02 03:04:05+00'),
('key of silent', 'silent', 'passkey:silent', 'cHVibGlj', '7', 'multiDevice', 'true', 'internal,hybrid', NULL, NULL, '2026-01-02 03:04:05+00');
insert into "records" ("key", "value", "owner", "expires") values
('challenge:9cc7c0325203827c7c5a8c368bf0b54c53479b9c237032c8e4be8616af547159', '', NULL, '2026-01-02 03:10:20+00'),
('ended:_oADyfzbyFNAQ4E_t4LbrxA2gn4SMTG5zR93vhh372k', '1', NULL, '2125-12-09 03:06:05+00'),
('forgotten:QDDwwLmbpeGJtv4pVEioyj', '1767323165000', NULL, '2026-07-01 03:06:05+00'),
('limit:known:635b5dfa0e6bad9fdd2d83ca154c891e', '1767340325000', NULL, '2026-01-02 07:52:05+00'),
('limit:mail.hosts:5f0278386b1c7cffaa6b323e010eafab', '1767323345000', NULL, '2026-01-02 03:09:05+00'),
('limit:mail:1e0d207fdd27f3862a564c3b6dde8e56', '1767323345000', NULL, '2026-01-02 03:09:05+00'),
('limit:notice:4d88d6b2d7d9519d9a4771a0079baabb', '1767323405000', NULL, '2026-01-02 03:10:05+00'),
('limit:password.account:ce3c482c6b259593c3cd6f53d2721213:no-address', '1767323135000', NULL, '2026-01-02 03:05:35+00'),
('limit:password.account:e569ea01f6721e49d95f6be8b82f6545:no-address', '1767323045000', NULL, '2026-01-02 03:04:05+00'),
('limit:password.day:ce3c482c6b259593c3cd6f53d2721213', '1767323909000', NULL, '2026-01-02 03:18:29+00'),
('limit:password.day:e569ea01f6721e49d95f6be8b82f6545', '1767323045000', NULL, '2026-01-02 03:04:05+00'),
('limit:password.hosts:0a090cff2f2b89e0e99aa2f418c8616d', '1767323045000', NULL, '2026-01-02 03:04:05+00'),
('limit:password.hosts:ea5bc26122a2921d9d4ccab09862dab0', '1767323131400', NULL, '2026-01-02 03:05:31.4+00'),
('links:wlzusgIkJn1NCeawf0E9oFIZxfon1aViN9Mnb4x_gPI', '{"27affc6ee8c6a506661ffd153b1e60b2ba56239c9c72657b7b3b272949400e83":4920923045000}', NULL, '2125-12-09 03:04:05+00');
insert into "factors" ("id", "userId", "type", "secret", "name", "lastStep", "confirmed", "created") values
('059276ef-5ce1-4106-8507-346a6b682142', 'emoji', 'recovery', '88e0ced3fce540c549ae48faece4893a92c248660aa6fabffd498719ee8b48f2', NULL, NULL, 'true', '2026-01-02 03:04:05+00'),
('1086b2b4-2959-45fd-b0a5-3302fdc0addf', 'emoji', 'recovery', '1106b05806014188c439a2b3897b7c86a669def14e53d0cf007a2e5a53b16fd8', NULL, NULL, 'true', '2026-01-02 03:04:05+00'),
('1d5b7c10-f358-4095-91ca-8979065ed60e', 'emoji', 'recovery', 'd71f43655960f623c646b5077d6f69a791d68d1ee940a5018b950d3c8e85ffd9', NULL, NULL, 'true', '2026-01-02 03:04:05+00'),
('2a1ae415-69ac-4222-bc47-497a60754354', 'emoji', 'recovery', 'b0e136d176c201e6446cc521c31a2b111067d2013aec9d8dac365dffc621fead', NULL, NULL, 'true', '2026-01-02 03:04:05+00'),
('4bbc5e4a-b2d8-4ed7-b35a-76ab1bdb38bd', 'emoji', 'recovery', '3588030cfa74f919437f89edd37b7619164f6f7eb30313cabc5a27c9dfe28df5', NULL, NULL, 'true', '2026-01-02 03:04:05+00'),
('5d206408-d3b2-42fc-94e6-692bc9ec32c5', 'emoji', 'recovery', '95584dbfc6336b61c852c977ca84696ae80508485832225fe047193e8846e13f', NULL, NULL, 'true', '2026-01-02 03:04:05+00'),
('85b24301-1178-47f8-9b2d-fe4f7c19dce3', 'emoji', 'totp', 'eyJhbGciOiJkaXIiLCJlbmMiOiJBMjU2Q0JDLUhTNTEyIiwia2lkIjoiVnVfVldxREhtbWFENUVWeHpNUC1QSmV4VDVDYkVKQ1ZUZEtVblpRMkdDMEIxWlRXbDVEUXpaVnpHRHdROTE5alRRMXJOUzdnbGptMDAwZTkzUFhNRUEifQ..JbeDiUa70-2wVsiN7B0VqQ.HwnwIu53LVjuDQXoTYR0Ki1zXI5tctXES6tbMZ59okTZ479mVFmgouLdxR3XVCJl_qA0O9I1umurwNEEdAKe9qPRVf9Y_YaBrjWfUlT_6lAdHn-N96PwGrNtyLiry5n12ELI7Jn-tCUGkTn2AKSVxFkKax08wfSmu65KamIYRzP0JdYgIwffWKRnlLDmedwBpUbPRo87meroMcXG-DxNX4ieGsHgkg9VhR8OBpRz5qg.lONMoyOaIaZLLeScsVXpNyMEVHT1l07dyNAJewa8guU', NULL, '58910767', 'true', '2026-01-02 03:04:05+00'),
('941a87a1-fdbf-4196-896c-fddf1fe8ffee', 'emoji', 'recovery', 'bb5883fbdd978d30efb79a1a7150823bb02c808e651ca4a6bf318da54df34411', NULL, NULL, 'true', '2026-01-02 03:04:05+00'),
('app of 0d0b9a0e-7f63-4a55-9a5c-6f3f1c1d7a11', '0d0b9a0e-7f63-4a55-9a5c-6f3f1c1d7a11', 'totp', 'sealed', NULL, NULL, 'false', '2026-01-02 03:04:05+00'),
('app of ada', 'ada', 'totp', 'sealed', NULL, NULL, 'false', '2026-01-02 03:04:05+00'),
('app of domain', 'domain', 'totp', 'sealed', NULL, NULL, 'false', '2026-01-02 03:04:05+00'),
('app of emoji', 'emoji', 'totp', 'sealed', NULL, NULL, 'false', '2026-01-02 03:04:05+00'),
('app of mixed', 'mixed', 'totp', 'sealed', NULL, NULL, 'false', '2026-01-02 03:04:05+00'),
('app of nameless', 'nameless', 'totp', 'sealed', NULL, NULL, 'false', '2026-01-02 03:04:05+00'),
('app of percent', 'percent', 'totp', 'sealed', NULL, NULL, 'false', '2026-01-02 03:04:05+00'),
('app of quote', 'quote', 'totp', 'sealed', NULL, NULL, 'false', '2026-01-02 03:04:05+00'),
('app of silent', 'silent', 'totp', 'sealed', NULL, NULL, 'false', '2026-01-02 03:04:05+00'),
('b3f88aa5-b8bc-405c-9663-378dc24c9662', 'emoji', 'recovery', '5298fd7adb55483ab71fd4e06d3945aa07e2b8fdeb19a68aba226b9a46118775', NULL, NULL, 'true', '2026-01-02 03:04:05+00'),
('cc1e17da-d23c-42b5-9a2a-fbaa27789957', 'emoji', 'recovery', '94564be10c7fc12e81f3e9af766fbf21d5fcba7cf163987a868dc230feb56b19', NULL, NULL, 'true', '2026-01-02 03:04:05+00'),
('ee15dfee-a567-4a88-949f-1cf9f9b3bad6', 'emoji', 'recovery', 'd58306a3ce3dd5833c335ab4ff86d8c79d344a70e250d2a1bbe51d4194c4e4d8', NULL, NULL, 'true', '2026-01-02 03:04:05+00');
insert into "passwords" ("userId", "hash", "changed") values
('0d0b9a0e-7f63-4a55-9a5c-6f3f1c1d7a11', '$scrypt$ln=15,r=8,p=3$R1P/zvg7GiJGR6Mzv3Qk8Q$aAeowLqaa5/zmNR3uVKjFdX25v3ErVGlowJ05t9+66w', '2026-01-02 03:04:05+00'),
('ada', '$scrypt$ln=15,r=8,p=3$V/arQIJFRxBU6u+o5qfQJA$MmTMP+Injq2iDOQEXA2oLi9qwtWoDEXTVDNk/e68H6s', '2026-01-02 03:04:05+00'),
('domain', '$scrypt$ln=15,r=8,p=3$zmHm6hU4S+edfXWhMPvVYg$c4YRUuBUG/CcuweDdSTK2cLjfmtvVd4McXOmQHMN9Bk', '2026-01-02 03:04:05+00'),
('emoji', '$scrypt$ln=15,r=8,p=3$IA9tIyDblKaDG6z8Uoq73g$YNH3gkwTNAz8Kz8xTrblnLfQjq29wFPyRGPq1GX0X9M', '2026-01-02 03:04:05+00'),
('mixed', '$scrypt$ln=15,r=8,p=3$ajI6ROY4GfQtFLQWDFszmQ$VB3f36BcvZ8dhJAvT1Luh1GvpmjY6gVullA1zlk08wM', '2026-01-02 03:04:05+00'),
('nameless', '$scrypt$ln=15,r=8,p=3$8oT/JsYp0qqbiFXWCMDG5A$ij/bv7vwtY+GxQYqu//1ILwF/KuUCGQN2wgboLy3FYA', '2026-01-02 03:04:05+00'),
('percent', '$scrypt$ln=15,r=8,p=3$+YfuyWRrCk7MOP/7lLZglQ$6S6pok3OOFy80OTrvH4F6j3IbqUWF/b3P/fwak8dBD0', '2026-01-02 03:04:05+00'),
('quote', '$scrypt$ln=15,r=8,p=3$qEariiRcBNp87sc48UdeQw$hyr40Qtqa+T9+bq9ZQQ9ZD7tHhVYH40wIiDJqVttHhQ', '2026-01-02 03:04:05+00'),
('silent', '$scrypt$ln=15,r=8,p=3$f19o9zPjdx0IbGs6ogGYcg$aDF4bdigHS/xTvYCDEB568J807QBVjT/nQVr3CnHI6E', '2026-01-02 03:04:05+00');
