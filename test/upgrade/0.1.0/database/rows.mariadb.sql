create table `users` (
  `id` varchar(255) character set utf8mb4 collate utf8mb4_nopad_bin not null,
  `name` mediumtext character set utf8mb4,
  `email` varchar(255) character set utf8mb4 collate utf8mb4_nopad_bin,
  `emailVerified` datetime(3),
  `image` mediumtext character set utf8mb4,
  primary key (`id`)
);
create unique index `users_email` on `users` (`email`);
create table `accounts` (
  `provider` varchar(255) character set utf8mb4 collate utf8mb4_nopad_bin not null,
  `providerAccountId` varchar(255) character set utf8mb4 collate utf8mb4_nopad_bin not null,
  `userId` varchar(255) character set utf8mb4 collate utf8mb4_nopad_bin not null,
  `type` varchar(255) character set utf8mb4 collate utf8mb4_nopad_bin not null,
  `refresh_token` mediumtext character set utf8mb4,
  `access_token` mediumtext character set utf8mb4,
  `expires_at` bigint,
  `token_type` mediumtext character set utf8mb4,
  `scope` mediumtext character set utf8mb4,
  `id_token` mediumtext character set utf8mb4,
  `session_state` mediumtext character set utf8mb4,
  primary key (`provider`, `providerAccountId`),
  foreign key (`userId`) references `users` (`id`) on delete cascade
);
create index `accounts_userId` on `accounts` (`userId`);
create table `sessions` (
  `sessionToken` varchar(255) character set utf8mb4 collate utf8mb4_nopad_bin not null,
  `userId` varchar(255) character set utf8mb4 collate utf8mb4_nopad_bin not null,
  `expires` datetime(3) not null,
  primary key (`sessionToken`),
  foreign key (`userId`) references `users` (`id`) on delete cascade
);
create index `sessions_userId` on `sessions` (`userId`);
create index `sessions_expires` on `sessions` (`expires`);
create table `verification_tokens` (
  `identifier` varchar(255) character set utf8mb4 collate utf8mb4_nopad_bin not null,
  `token` varchar(255) character set utf8mb4 collate utf8mb4_nopad_bin not null,
  `expires` datetime(3) not null,
  primary key (`identifier`, `token`)
);
create index `verification_tokens_expires` on `verification_tokens` (`expires`);
create table `authenticators` (
  `credentialID` varchar(255) character set utf8mb4 collate utf8mb4_nopad_bin not null,
  `userId` varchar(255) character set utf8mb4 collate utf8mb4_nopad_bin not null,
  `providerAccountId` varchar(255) character set utf8mb4 collate utf8mb4_nopad_bin not null,
  `credentialPublicKey` mediumtext character set utf8mb4 not null,
  `counter` bigint not null,
  `credentialDeviceType` varchar(255) character set utf8mb4 collate utf8mb4_nopad_bin not null,
  `credentialBackedUp` boolean not null,
  `transports` mediumtext character set utf8mb4,
  `name` mediumtext character set utf8mb4,
  `lastUsed` datetime(3),
  `created` datetime(3),
  primary key (`credentialID`),
  foreign key (`userId`) references `users` (`id`) on delete cascade
);
create index `authenticators_userId` on `authenticators` (`userId`);
create table `records` (
  `key` varchar(255) character set utf8mb4 collate utf8mb4_nopad_bin not null,
  `value` mediumtext character set utf8mb4 not null,
  `owner` varchar(255) character set utf8mb4 collate utf8mb4_nopad_bin,
  `expires` datetime(3) not null,
  primary key (`key`)
);
create index `records_owner` on `records` (`owner`);
create index `records_expires` on `records` (`expires`);
create table `factors` (
  `id` varchar(255) character set utf8mb4 collate utf8mb4_nopad_bin not null,
  `userId` varchar(255) character set utf8mb4 collate utf8mb4_nopad_bin not null,
  `type` varchar(255) character set utf8mb4 collate utf8mb4_nopad_bin not null,
  `secret` mediumtext character set utf8mb4 not null,
  `name` mediumtext character set utf8mb4,
  `lastStep` bigint,
  `confirmed` boolean not null,
  `created` datetime(3) not null,
  primary key (`id`),
  foreign key (`userId`) references `users` (`id`) on delete cascade
);
create index `factors_userId` on `factors` (`userId`);
create table `passwords` (
  `userId` varchar(255) character set utf8mb4 collate utf8mb4_nopad_bin not null,
  `hash` mediumtext character set utf8mb4 not null,
  `changed` datetime(3) not null,
  primary key (`userId`),
  foreign key (`userId`) references `users` (`id`) on delete cascade
);
insert into `users` (`id`, `name`, `email`, `emailVerified`, `image`) values
('0d0b9a0e-7f63-4a55-9a5c-6f3f1c1d7a11', 'Uuid', 'uuid@example.com', '2026-01-02 03:04:05.000', NULL),
('ada', 'Ada Lovelace', 'ada@example.com', '2026-01-02 03:04:05.000', NULL),
('domain', 'Umlaut', 'ada@münchen.example', '2026-01-02 03:04:05.000', NULL),
('emoji', '😀 é é', 'emoji@example.com', '2026-01-02 03:04:05.001', NULL),
('mixed', 'Mixed Case', 'Mixed.Case@Example.com', '2026-01-02 03:04:05.000', NULL),
('nameless', NULL, 'nameless@example.com', NULL, NULL),
('percent', '100 % "quoted" \\', 'percent+tag@example.com', '1970-01-01 00:00:00.000', NULL),
('quote', 'Miles O\'Brien; --', 'o\'brien@example.com', NULL, NULL),
('silent', 'Without address', NULL, NULL, NULL);
insert into `accounts` (`provider`, `providerAccountId`, `userId`, `type`, `refresh_token`, `access_token`, `expires_at`, `token_type`, `scope`, `id_token`, `session_state`) values
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
('posted', 'posted:0d0b9a0e-7f63-4a55-9a5c-6f3f1c1d7a11', '0d0b9a0e-7f63-4a55-9a5c-6f3f1c1d7a11', 'oauth', 'sealed \' 0d0b9a0e-7f63-4a55-9a5c-6f3f1c1d7a11', 'a', '1767323045', NULL, 'openid email', NULL, NULL),
('posted', 'posted:ada', 'ada', 'oauth', 'sealed \' ada', 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa', '1767323045', NULL, 'openid email', NULL, NULL),
('posted', 'posted:domain', 'domain', 'oauth', 'sealed \' domain', 'a', '1767323045', NULL, 'openid email', NULL, NULL),
('posted', 'posted:emoji', 'emoji', 'oauth', 'sealed \' emoji', 'a', '1767323045', NULL, 'openid email', NULL, NULL),
('posted', 'posted:mixed', 'mixed', 'oauth', 'sealed \' mixed', 'a', '1767323045', NULL, 'openid email', NULL, NULL),
('posted', 'posted:nameless', 'nameless', 'oauth', 'sealed \' nameless', 'a', '1767323045', NULL, 'openid email', NULL, NULL),
('posted', 'posted:percent', 'percent', 'oauth', 'sealed \' percent', 'a', '1767323045', NULL, 'openid email', NULL, NULL),
('posted', 'posted:quote', 'quote', 'oauth', 'sealed \' quote', 'a', '1767323045', NULL, 'openid email', NULL, NULL),
('posted', 'posted:silent', 'silent', 'oauth', 'sealed \' silent', 'a', '1767323045', NULL, 'openid email', NULL, NULL),
('sealed', 'sealed:0d0b9a0e-7f63-4a55-9a5c-6f3f1c1d7a11', '0d0b9a0e-7f63-4a55-9a5c-6f3f1c1d7a11', 'oidc', NULL, NULL, NULL, NULL, NULL, NULL, NULL),
('sealed', 'sealed:ada', 'ada', 'oidc', NULL, NULL, NULL, NULL, NULL, NULL, NULL),
('sealed', 'sealed:domain', 'domain', 'oidc', NULL, NULL, NULL, NULL, NULL, NULL, NULL),
('sealed', 'sealed:emoji', 'emoji', 'oidc', NULL, 'lib1.eyJhbGciOiJkaXIiLCJlbmMiOiJBMjU2Q0JDLUhTNTEyIiwia2lkIjoiZ0dveXB0cVloRGFWT1pYeWZZVVQ0cm5PX2JVWTZVbGE1SE1qXzdRU1M4RXhnc0xxNDAzOTgyZ0dUbjlxUGZPR1BSdXNEZS1ackl5ZXhkYV82NWtYdmcifQ..k1r3gUI27gmsq0KbtxwWjw.zsvEMntCf-g_E5vUjZrSyAmaeMGwA3BNsosMV31slZAcMnosCSx9s65LID1YRaj2SCJhmByyJ8jX4W-vjEmpDqbbL0NLNXPmJwA_3IFyjMxMJWz8GCHzQtSnQsUksJzXZJqWr5s9e1Jj9S3iXulEVq2udAIn9zNoL5FTtkLDch0oCNmxvt5gtQZ2Os7kYgxZpN-n-VFFrb8SCU6AKKEfiJ-Ikor5qurXyGsKMaQZFdd4DS2mfmFayeJ-aBeUuaCWm2duxj0ryvVcN8jL7WmLUNxxLULW8m9wMgdjOmyOin8vZC_ab2Akrst2yQ8arEvK.aRtJvuMYietjIUTSHGWgNvH8PIdN3P72_SHEZivA00E', '2082683045', 'bearer', 'openid profile email', 'lib1.eyJhbGciOiJkaXIiLCJlbmMiOiJBMjU2Q0JDLUhTNTEyIiwia2lkIjoiZ0dveXB0cVloRGFWT1pYeWZZVVQ0cm5PX2JVWTZVbGE1SE1qXzdRU1M4RXhnc0xxNDAzOTgyZ0dUbjlxUGZPR1BSdXNEZS1ackl5ZXhkYV82NWtYdmcifQ..G9I_M_9QuqCP_UfNx2tHPg.Y4yZflyfgsDiLayTAqOogmEg-wKfynFMGoqvphjYKr2fkKThHrPM48wEho9iee2gT7Y965lDmdaENxKnx7fbKvUtBlC7LaIRtCx2yfHrbS9FtP8IJOmhrN5l0ZmVmFAK16WV_BeMqExxneVZZJwxF3vNVR1rljRxbfAoe3btdclYpYIVha1GnOaK7cxSlEhF3GXRnYK1LtocSKVXF-JHA-G0l-jVz6JUJSYouuqFfIQ7eoZtaC40475E_GaRleXbyWpfFp73qNhhU9mdaL1F8wD1_neVqURO_dyTx6Dk2kHhjtbxQ8sslPfGKqCD-fJErCvLBRRRAMju3Sv0fiwP98vMhr9YmgcWH2L6w2BUgQ-RltXXKJxS1pcc9mD3vRVOO7vrUkGiIpZF0aGI67zvRL7T7WdA8lS_8ag5qD__lyplnr7HWGUwSwG9bqhZ7J-J385h7KUmhjCzuBnOKZSa2NTbmzO7e6afKF9uz9wTv_T_woGAZb00GtKyJmP82w0Z8F9IiFPC2Ap5Rn-g5J-bQILFkouvIm3WhHuAfLqqqka47_sS1kLraF4ijnbkX95jWkdBiQT0h7HMDgwswoeE0JtN-lb9rCyNR-PEtGixgb439e8Q0mNBSmK9jTc7M7C-OBIEvbgbyxrK69_oohLhv5--aSTOddJl5n7Z36-7VYmRIFlC8U7sScVfO2IhGUgX5qt-53FGEwetspolM6d3Uw.6rBiJ6waRuIeArszVeBZx4CNcWQ65f9mpfaaOgevaGg', NULL),
('sealed', 'sealed:mixed', 'mixed', 'oidc', NULL, NULL, NULL, NULL, NULL, NULL, NULL),
('sealed', 'sealed:nameless', 'nameless', 'oidc', NULL, NULL, NULL, NULL, NULL, NULL, NULL),
('sealed', 'sealed:percent', 'percent', 'oidc', NULL, NULL, NULL, NULL, NULL, NULL, NULL),
('sealed', 'sealed:quote', 'quote', 'oidc', NULL, NULL, NULL, NULL, NULL, NULL, NULL),
('sealed', 'sealed:silent', 'silent', 'oidc', NULL, NULL, NULL, NULL, NULL, NULL, NULL);
insert into `sessions` (`sessionToken`, `userId`, `expires`) values
('old of 0d0b9a0e-7f63-4a55-9a5c-6f3f1c1d7a11', '0d0b9a0e-7f63-4a55-9a5c-6f3f1c1d7a11', '2026-01-02 03:04:04.999'),
('old of ada', 'ada', '2026-01-02 03:04:04.999'),
('old of domain', 'domain', '2026-01-02 03:04:04.999'),
('old of emoji', 'emoji', '2026-01-02 03:04:04.999'),
('old of mixed', 'mixed', '2026-01-02 03:04:04.999'),
('old of nameless', 'nameless', '2026-01-02 03:04:04.999'),
('old of percent', 'percent', '2026-01-02 03:04:04.999'),
('old of quote', 'quote', '2026-01-02 03:04:04.999'),
('old of silent', 'silent', '2026-01-02 03:04:04.999'),
('session of 0d0b9a0e-7f63-4a55-9a5c-6f3f1c1d7a11', '0d0b9a0e-7f63-4a55-9a5c-6f3f1c1d7a11', '2126-01-01 00:00:00.000'),
('session of ada', 'ada', '2126-01-01 00:00:00.000'),
('session of domain', 'domain', '2126-01-01 00:00:00.000'),
('session of emoji', 'emoji', '2126-01-01 00:00:00.000'),
('session of mixed', 'mixed', '2126-01-01 00:00:00.000'),
('session of nameless', 'nameless', '2126-01-01 00:00:00.000'),
('session of percent', 'percent', '2126-01-01 00:00:00.000'),
('session of quote', 'quote', '2126-01-01 00:00:00.000'),
('session of silent', 'silent', '2126-01-01 00:00:00.000'),
('sha256:89682d59781f4c8506244d470f10d50a2a136ce9a6507ba388b4eb25370770ab', 'emoji', '2125-12-09 03:04:05.000');
insert into `verification_tokens` (`identifier`, `token`, `expires`) values
('Mixed.Case@Example.com', 'token of mixed', '2126-01-01 00:00:00.000'),
('ada@example.com', 'token of ada', '2126-01-01 00:00:00.000'),
('ada@münchen.example', 'token of domain', '2126-01-01 00:00:00.000'),
('emoji@example.com', 'c873ba8fc498ade0fb3e93d4a5c098baa712bd5667d8f32c0189ce269f11873f', '2125-12-09 03:04:05.000'),
('emoji@example.com', 'token of emoji', '2126-01-01 00:00:00.000'),
('nameless@example.com', 'token of nameless', '2126-01-01 00:00:00.000'),
('o\'brien@example.com', 'token of quote', '2126-01-01 00:00:00.000'),
('percent+tag@example.com', 'token of percent', '2126-01-01 00:00:00.000'),
('uuid@example.com', 'token of 0d0b9a0e-7f63-4a55-9a5c-6f3f1c1d7a11', '2126-01-01 00:00:00.000');
insert into `authenticators` (`credentialID`, `userId`, `providerAccountId`, `credentialPublicKey`, `counter`, `credentialDeviceType`, `credentialBackedUp`, `transports`, `name`, `lastUsed`, `created`) values
('dGhlIHBhc3NrZXkgb2YgYSB1c2Vy', 'emoji', 'dGhlIHBhc3NrZXkgb2YgYSB1c2Vy', 'pQECAyYgASFYINr1+ZNAWe52Rxy5O2tzaFme5+bH+mwqkjMFIqTeeGaeIlggn8aP56QjtNAa93yvq0uBVWGign3uVkjItWVSAjdSIlM=', '1', 'singleDevice', '0', 'hybrid,internal', NULL, NULL, '2026-01-02 03:04:05.000'),
('key of 0d0b9a0e-7f63-4a55-9a5c-6f3f1c1d7a11', '0d0b9a0e-7f63-4a55-9a5c-6f3f1c1d7a11', 'passkey:0d0b9a0e-7f63-4a55-9a5c-6f3f1c1d7a11', 'cHVibGlj', '7', 'multiDevice', '1', 'internal,hybrid', NULL, NULL, '2026-01-02 03:04:05.000'),
('key of ada', 'ada', 'passkey:ada', 'cHVibGlj', '7', 'multiDevice', '1', 'internal,hybrid', NULL, NULL, '2026-01-02 03:04:05.000'),
('key of domain', 'domain', 'passkey:domain', 'cHVibGlj', '7', 'multiDevice', '1', 'internal,hybrid', NULL, NULL, '2026-01-02 03:04:05.000'),
('key of emoji', 'emoji', 'passkey:emoji', 'cHVibGlj', '7', 'multiDevice', '1', 'internal,hybrid', NULL, NULL, '2026-01-02 03:04:05.000'),
('key of mixed', 'mixed', 'passkey:mixed', 'cHVibGlj', '7', 'multiDevice', '1', 'internal,hybrid', NULL, NULL, '2026-01-02 03:04:05.000'),
('key of nameless', 'nameless', 'passkey:nameless', 'cHVibGlj', '7', 'multiDevice', '1', 'internal,hybrid', NULL, NULL, '2026-01-02 03:04:05.000'),
('key of percent', 'percent', 'passkey:percent', 'cHVibGlj', '7', 'multiDevice', '1', 'internal,hybrid', NULL, NULL, '2026-01-02 03:04:05.000'),
('key of quote', 'quote', 'passkey:quote', 'cHVibGlj', '7', 'multiDevice', '1', 'internal,hybrid', NULL, NULL, '2026-01-02 03:04:05.000'),
('key of silent', 'silent', 'passkey:silent', 'cHVibGlj', '7', 'multiDevice', '1', 'internal,hybrid', NULL, NULL, '2026-01-02 03:04:05.000');
insert into `records` (`key`, `value`, `owner`, `expires`) values
('challenge:4d7a586904763a3eea775a893ce42692c61ebde1895d4e470b413cd5befd3e90', '', NULL, '2026-01-02 03:10:20.000'),
('ended:t2fUTNByyoPyauT-4hEdBpcKtlwIDs8j5MEMONjQwrM', '1', NULL, '2125-12-09 03:06:05.000'),
('forgotten:QDDwwLmbpeGJtv4pVEioyj', '1767323165000', NULL, '2026-07-01 03:06:05.000'),
('limit:known:635b5dfa0e6bad9fdd2d83ca154c891e', '1767340325000', NULL, '2026-01-02 07:52:05.000'),
('limit:mail.hosts:5f0278386b1c7cffaa6b323e010eafab', '1767323345000', NULL, '2026-01-02 03:09:05.000'),
('limit:mail:1e0d207fdd27f3862a564c3b6dde8e56', '1767323345000', NULL, '2026-01-02 03:09:05.000'),
('limit:notice:4d88d6b2d7d9519d9a4771a0079baabb', '1767323405000', NULL, '2026-01-02 03:10:05.000'),
('limit:password.account:ce3c482c6b259593c3cd6f53d2721213:no-address', '1767323135000', NULL, '2026-01-02 03:05:35.000'),
('limit:password.account:e569ea01f6721e49d95f6be8b82f6545:no-address', '1767323045000', NULL, '2026-01-02 03:04:05.000'),
('limit:password.day:ce3c482c6b259593c3cd6f53d2721213', '1767323909000', NULL, '2026-01-02 03:18:29.000'),
('limit:password.day:e569ea01f6721e49d95f6be8b82f6545', '1767323045000', NULL, '2026-01-02 03:04:05.000'),
('limit:password.hosts:0a090cff2f2b89e0e99aa2f418c8616d', '1767323045000', NULL, '2026-01-02 03:04:05.000'),
('limit:password.hosts:ea5bc26122a2921d9d4ccab09862dab0', '1767323131400', NULL, '2026-01-02 03:05:31.400'),
('links:wlzusgIkJn1NCeawf0E9oFIZxfon1aViN9Mnb4x_gPI', '{"c873ba8fc498ade0fb3e93d4a5c098baa712bd5667d8f32c0189ce269f11873f":4920923045000}', NULL, '2125-12-09 03:04:05.000');
insert into `factors` (`id`, `userId`, `type`, `secret`, `name`, `lastStep`, `confirmed`, `created`) values
('05df5da8-b1d2-4889-99f7-40523c0f7e4f', 'emoji', 'recovery', '3a853d2d9e76c710c482d6ad09966cd318ff6a9dfb0457105ba75d0d0a0ba2d7', NULL, NULL, '1', '2026-01-02 03:04:05.000'),
('0cc00089-6cf9-4aef-b686-aae12ddbb487', 'emoji', 'recovery', '7c0745878e99f1a4ab28f8345dc226c688a0ca8c86bf34ea314b1d27331f954d', NULL, NULL, '1', '2026-01-02 03:04:05.000'),
('1c90d80c-f1ab-4b2c-8ad2-603b4ae057b9', 'emoji', 'recovery', '5e55d59662ed8a3c511457960999411170f6941f20ed2241b2f80c7314ba6543', NULL, NULL, '1', '2026-01-02 03:04:05.000'),
('35e9e0eb-f69c-44a9-ae33-986055429b85', 'emoji', 'recovery', 'b8150603f120879a2c9a35013a3fb50738f8e6bca1bb9e48302e2996ddc88fd5', NULL, NULL, '1', '2026-01-02 03:04:05.000'),
('4a03e530-242f-40ee-a9ab-31aec1ddccb3', 'emoji', 'totp', 'eyJhbGciOiJkaXIiLCJlbmMiOiJBMjU2Q0JDLUhTNTEyIiwia2lkIjoiVnVfVldxREhtbWFENUVWeHpNUC1QSmV4VDVDYkVKQ1ZUZEtVblpRMkdDMEIxWlRXbDVEUXpaVnpHRHdROTE5alRRMXJOUzdnbGptMDAwZTkzUFhNRUEifQ..Tpwkumb1F-2K4oRr-OcVRA.5ZWlXSCh7-MHxkLbF7R2BKbuWSXRNxIabCkMkhcLnXxwkaPykyLcT6HDOcEke0V_zbFBuY8ndgMK47M0iYMWcnsXscTtE7qJlqL-GQUHRkUyeL9mL4WnOWt9WePVvkE1Eu1i93cVyx33g4itPKkSeOF6VchPY1BLv1Htvtcc6KmbYDaHkFYbpDeethArsOQSFrPosaKHdaQ7kcEwn-gW2SI8rRLIEJ8Bh4eNHJ3a2J0.gEWXwq6W7mFaIKg7SnKvkzASiYk7ATjwgeAHQ5V3DGU', NULL, '58910767', '1', '2026-01-02 03:04:05.000'),
('8db9191d-5ee6-4379-b257-de64a930d30d', 'emoji', 'recovery', '303bd450681bae7ffec2d09a0ef1b50769c0e53fb23bfe3780b9009f6fbe6938', NULL, NULL, '1', '2026-01-02 03:04:05.000'),
('96195be9-4c9f-41da-961b-1b9b109f0f77', 'emoji', 'recovery', 'c424a8667f7fb5a522d7123ecf524a1572d2dae83fb79af0c45b089dfc89080e', NULL, NULL, '1', '2026-01-02 03:04:05.000'),
('9ac36bcd-5617-4fe6-af83-39227f7da56b', 'emoji', 'recovery', '19d16954869a2ccc6b7ecdfc41dbd0f7b927bb066cd05dd30f7c151bd07a2f4d', NULL, NULL, '1', '2026-01-02 03:04:05.000'),
('app of 0d0b9a0e-7f63-4a55-9a5c-6f3f1c1d7a11', '0d0b9a0e-7f63-4a55-9a5c-6f3f1c1d7a11', 'totp', 'sealed', NULL, NULL, '0', '2026-01-02 03:04:05.000'),
('app of ada', 'ada', 'totp', 'sealed', NULL, NULL, '0', '2026-01-02 03:04:05.000'),
('app of domain', 'domain', 'totp', 'sealed', NULL, NULL, '0', '2026-01-02 03:04:05.000'),
('app of emoji', 'emoji', 'totp', 'sealed', NULL, NULL, '0', '2026-01-02 03:04:05.000'),
('app of mixed', 'mixed', 'totp', 'sealed', NULL, NULL, '0', '2026-01-02 03:04:05.000'),
('app of nameless', 'nameless', 'totp', 'sealed', NULL, NULL, '0', '2026-01-02 03:04:05.000'),
('app of percent', 'percent', 'totp', 'sealed', NULL, NULL, '0', '2026-01-02 03:04:05.000'),
('app of quote', 'quote', 'totp', 'sealed', NULL, NULL, '0', '2026-01-02 03:04:05.000'),
('app of silent', 'silent', 'totp', 'sealed', NULL, NULL, '0', '2026-01-02 03:04:05.000'),
('d3b038ab-6c1a-47be-b00e-38511f688263', 'emoji', 'recovery', '015ff8c0d12c934ba9465823111b7566867a0543da6722d7d98c12672719ef3b', NULL, NULL, '1', '2026-01-02 03:04:05.000'),
('dc85818d-6a81-4e37-907b-a144dc436963', 'emoji', 'recovery', '4b22f29de57856f58b58e6d6a1070cda80f403605ed1e193a9508240039f17c9', NULL, NULL, '1', '2026-01-02 03:04:05.000'),
('eddadbc6-0993-4ea5-95d2-d6e21dc4803b', 'emoji', 'recovery', '16c682a9c6ea5ba91ff89d7b6da7570bfda43b57a4b5c105563be58125158e74', NULL, NULL, '1', '2026-01-02 03:04:05.000');
insert into `passwords` (`userId`, `hash`, `changed`) values
('0d0b9a0e-7f63-4a55-9a5c-6f3f1c1d7a11', '$scrypt$ln=15,r=8,p=3$bqiCHITOq7pxL24gDhqwxg$6mC05T0yFjD8mnCONYPFPHLnwrPFusOnEmWh72iaCSE', '2026-01-02 03:04:05.000'),
('ada', '$scrypt$ln=15,r=8,p=3$aScjjttQGwSPUi9zTHsVrg$Jvz8AqCOPmuqX5Tbd5/tCmUC0LQyhqe8Xmgb3/pk3EI', '2026-01-02 03:04:05.000'),
('domain', '$scrypt$ln=15,r=8,p=3$jG9VbORwqigP4qlaIERi7Q$IoSX53gLWz6yVIP7KIFNOATrndN9G6sRaqiIoa7WthU', '2026-01-02 03:04:05.000'),
('emoji', '$scrypt$ln=15,r=8,p=3$xzpmRjKuQubG67nmn0sGYA$vQoflXt9EkAm3vqyLR0Sqgo1Mr5EjqxL4bNLRR7AQPg', '2026-01-02 03:04:05.000'),
('mixed', '$scrypt$ln=15,r=8,p=3$04IHgGQYbU889QBWvJdnvg$+BEltqHntSXy8csfmTXtRJH46uLSm+5q2i7TAjh23zk', '2026-01-02 03:04:05.000'),
('nameless', '$scrypt$ln=15,r=8,p=3$w6rhhqCdOmuqVF4mDuxlgg$ia3Dest6n7yaJVF8BirgCsV4i6wNSuRqmYSIaOcpmSs', '2026-01-02 03:04:05.000'),
('percent', '$scrypt$ln=15,r=8,p=3$7ozYlLlSWabZykw3DF/4ng$478hJIkit6WNc9dVDBUT+gmmNIEle4QOueiW05NwazE', '2026-01-02 03:04:05.000'),
('quote', '$scrypt$ln=15,r=8,p=3$y3P7geR81ygXPlS7BxHG9Q$VAYNn6Wtx2bOOwkYOP5q5cbUyhktMiskofMsfSayiqk', '2026-01-02 03:04:05.000'),
('silent', '$scrypt$ln=15,r=8,p=3$B+hVA00052Bn4F0LtJAihQ$YmJL0GtX3p4/VOVlk+h5yuPDhNJCJIrHYno5ZghitGc', '2026-01-02 03:04:05.000');
