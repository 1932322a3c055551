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
insert into `users` (`id`, `name`, `email`, `emailVerified`, `image`) values ('0d0b9a0e-7f63-4a55-9a5c-6f3f1c1d7a11', 'Uuid', 'uuid@example.com', '2026-01-02 03:04:05.000', NULL);
insert into `users` (`id`, `name`, `email`, `emailVerified`, `image`) values ('ada', 'Ada Lovelace', 'ada@example.com', '2026-01-02 03:04:05.000', NULL);
insert into `users` (`id`, `name`, `email`, `emailVerified`, `image`) values ('domain', 'Umlaut', 'ada@münchen.example', '2026-01-02 03:04:05.000', NULL);
insert into `users` (`id`, `name`, `email`, `emailVerified`, `image`) values ('emoji', '😀 é é', 'emoji@example.com', '2026-01-02 03:04:05.001', NULL);
insert into `users` (`id`, `name`, `email`, `emailVerified`, `image`) values ('mixed', 'Mixed Case', 'Mixed.Case@Example.com', '2026-01-02 03:04:05.000', NULL);
insert into `users` (`id`, `name`, `email`, `emailVerified`, `image`) values ('nameless', NULL, 'nameless@example.com', NULL, NULL);
insert into `users` (`id`, `name`, `email`, `emailVerified`, `image`) values ('percent', '100 % "quoted" \\', 'percent+tag@example.com', '1970-01-01 00:00:00.000', NULL);
insert into `users` (`id`, `name`, `email`, `emailVerified`, `image`) values ('quote', 'Miles O\'Brien; --', 'o\'brien@example.com', NULL, NULL);
insert into `accounts` (`provider`, `providerAccountId`, `userId`, `type`, `refresh_token`, `access_token`, `expires_at`, `token_type`, `scope`, `id_token`, `session_state`) values ('op', 'op:0d0b9a0e-7f63-4a55-9a5c-6f3f1c1d7a11', '0d0b9a0e-7f63-4a55-9a5c-6f3f1c1d7a11', 'oidc', NULL, NULL, NULL, NULL, NULL, NULL, NULL);
insert into `accounts` (`provider`, `providerAccountId`, `userId`, `type`, `refresh_token`, `access_token`, `expires_at`, `token_type`, `scope`, `id_token`, `session_state`) values ('op', 'op:ada', 'ada', 'oidc', NULL, NULL, NULL, NULL, NULL, NULL, NULL);
insert into `accounts` (`provider`, `providerAccountId`, `userId`, `type`, `refresh_token`, `access_token`, `expires_at`, `token_type`, `scope`, `id_token`, `session_state`) values ('op', 'op:domain', 'domain', 'oidc', NULL, NULL, NULL, NULL, NULL, NULL, NULL);
insert into `accounts` (`provider`, `providerAccountId`, `userId`, `type`, `refresh_token`, `access_token`, `expires_at`, `token_type`, `scope`, `id_token`, `session_state`) values ('op', 'op:emoji', 'emoji', 'oidc', NULL, NULL, NULL, NULL, NULL, NULL, NULL);
insert into `accounts` (`provider`, `providerAccountId`, `userId`, `type`, `refresh_token`, `access_token`, `expires_at`, `token_type`, `scope`, `id_token`, `session_state`) values ('op', 'op:mixed', 'mixed', 'oidc', NULL, NULL, NULL, NULL, NULL, NULL, NULL);
insert into `accounts` (`provider`, `providerAccountId`, `userId`, `type`, `refresh_token`, `access_token`, `expires_at`, `token_type`, `scope`, `id_token`, `session_state`) values ('op', 'op:nameless', 'nameless', 'oidc', NULL, NULL, NULL, NULL, NULL, NULL, NULL);
insert into `accounts` (`provider`, `providerAccountId`, `userId`, `type`, `refresh_token`, `access_token`, `expires_at`, `token_type`, `scope`, `id_token`, `session_state`) values ('op', 'op:percent', 'percent', 'oidc', NULL, NULL, NULL, NULL, NULL, NULL, NULL);
insert into `accounts` (`provider`, `providerAccountId`, `userId`, `type`, `refresh_token`, `access_token`, `expires_at`, `token_type`, `scope`, `id_token`, `session_state`) values ('op', 'op:quote', 'quote', 'oidc', NULL, NULL, NULL, NULL, NULL, NULL, NULL);
insert into `accounts` (`provider`, `providerAccountId`, `userId`, `type`, `refresh_token`, `access_token`, `expires_at`, `token_type`, `scope`, `id_token`, `session_state`) values ('posted', 'posted:0d0b9a0e-7f63-4a55-9a5c-6f3f1c1d7a11', '0d0b9a0e-7f63-4a55-9a5c-6f3f1c1d7a11', 'oauth', 'sealed \' 0d0b9a0e-7f63-4a55-9a5c-6f3f1c1d7a11', 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa', '1767323045', NULL, 'openid email', NULL, NULL);
insert into `accounts` (`provider`, `providerAccountId`, `userId`, `type`, `refresh_token`, `access_token`, `expires_at`, `token_type`, `scope`, `id_token`, `session_state`) values ('posted', 'posted:ada', 'ada', 'oauth', 'sealed \' ada', 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa', '1767323045', NULL, 'openid email', NULL, NULL);
insert into `accounts` (`provider`, `providerAccountId`, `userId`, `type`, `refresh_token`, `access_token`, `expires_at`, `token_type`, `scope`, `id_token`, `session_state`) values ('posted', 'posted:domain', 'domain', 'oauth', 'sealed \' domain', 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa', '1767323045', NULL, 'openid email', NULL, NULL);
insert into `accounts` (`provider`, `providerAccountId`, `userId`, `type`, `refresh_token`, `access_token`, `expires_at`, `token_type`, `scope`, `id_token`, `session_state`) values ('posted', 'posted:emoji', 'emoji', 'oauth', 'sealed \' emoji', 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa', '1767323045', NULL, 'openid email', NULL, NULL);
insert into `accounts` (`provider`, `providerAccountId`, `userId`, `type`, `refresh_token`, `access_token`, `expires_at`, `token_type`, `scope`, `id_token`, `session_state`) values ('posted', 'posted:mixed', 'mixed', 'oauth', 'sealed \' mixed', 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa', '1767323045', NULL, 'openid email', NULL, NULL);
insert into `accounts` (`provider`, `providerAccountId`, `userId`, `type`, `refresh_token`, `access_token`, `expires_at`, `token_type`, `scope`, `id_token`, `session_state`) values ('posted', 'posted:nameless', 'nameless', 'oauth', 'sealed \' nameless', 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa', '1767323045', NULL, 'openid email', NULL, NULL);
insert into `accounts` (`provider`, `providerAccountId`, `userId`, `type`, `refresh_token`, `access_token`, `expires_at`, `token_type`, `scope`, `id_token`, `session_state`) values ('posted', 'posted:percent', 'percent', 'oauth', 'sealed \' percent', 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa', '1767323045', NULL, 'openid email', NULL, NULL);
insert into `accounts` (`provider`, `providerAccountId`, `userId`, `type`, `refresh_token`, `access_token`, `expires_at`, `token_type`, `scope`, `id_token`, `session_state`) values ('posted', 'posted:quote', 'quote', 'oauth', 'sealed \' quote', 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa', '1767323045', NULL, 'openid email', NULL, NULL);
insert into `sessions` (`sessionToken`, `userId`, `expires`) values ('old of 0d0b9a0e-7f63-4a55-9a5c-6f3f1c1d7a11', '0d0b9a0e-7f63-4a55-9a5c-6f3f1c1d7a11', '2026-01-02 03:04:04.999');
insert into `sessions` (`sessionToken`, `userId`, `expires`) values ('old of ada', 'ada', '2026-01-02 03:04:04.999');
insert into `sessions` (`sessionToken`, `userId`, `expires`) values ('old of domain', 'domain', '2026-01-02 03:04:04.999');
insert into `sessions` (`sessionToken`, `userId`, `expires`) values ('old of emoji', 'emoji', '2026-01-02 03:04:04.999');
insert into `sessions` (`sessionToken`, `userId`, `expires`) values ('old of mixed', 'mixed', '2026-01-02 03:04:04.999');
insert into `sessions` (`sessionToken`, `userId`, `expires`) values ('old of nameless', 'nameless', '2026-01-02 03:04:04.999');
insert into `sessions` (`sessionToken`, `userId`, `expires`) values ('old of percent', 'percent', '2026-01-02 03:04:04.999');
insert into `sessions` (`sessionToken`, `userId`, `expires`) values ('old of quote', 'quote', '2026-01-02 03:04:04.999');
insert into `sessions` (`sessionToken`, `userId`, `expires`) values ('session of 0d0b9a0e-7f63-4a55-9a5c-6f3f1c1d7a11', '0d0b9a0e-7f63-4a55-9a5c-6f3f1c1d7a11', '2126-01-01 00:00:00.000');
insert into `sessions` (`sessionToken`, `userId`, `expires`) values ('session of ada', 'ada', '2126-01-01 00:00:00.000');
insert into `sessions` (`sessionToken`, `userId`, `expires`) values ('session of domain', 'domain', '2126-01-01 00:00:00.000');
insert into `sessions` (`sessionToken`, `userId`, `expires`) values ('session of emoji', 'emoji', '2126-01-01 00:00:00.000');
insert into `sessions` (`sessionToken`, `userId`, `expires`) values ('session of mixed', 'mixed', '2126-01-01 00:00:00.000');
insert into `sessions` (`sessionToken`, `userId`, `expires`) values ('session of nameless', 'nameless', '2126-01-01 00:00:00.000');
insert into `sessions` (`sessionToken`, `userId`, `expires`) values ('session of percent', 'percent', '2126-01-01 00:00:00.000');
insert into `sessions` (`sessionToken`, `userId`, `expires`) values ('session of quote', 'quote', '2126-01-01 00:00:00.000');
insert into `verification_tokens` (`identifier`, `token`, `expires`) values ('Mixed.Case@Example.com', 'token of mixed', '2126-01-01 00:00:00.000');
insert into `verification_tokens` (`identifier`, `token`, `expires`) values ('ada@example.com', 'token of ada', '2126-01-01 00:00:00.000');
insert into `verification_tokens` (`identifier`, `token`, `expires`) values ('ada@münchen.example', 'token of domain', '2126-01-01 00:00:00.000');
insert into `verification_tokens` (`identifier`, `token`, `expires`) values ('emoji@example.com', 'token of emoji', '2126-01-01 00:00:00.000');
insert into `verification_tokens` (`identifier`, `token`, `expires`) values ('nameless@example.com', 'token of nameless', '2126-01-01 00:00:00.000');
insert into `verification_tokens` (`identifier`, `token`, `expires`) values ('o\'brien@example.com', 'token of quote', '2126-01-01 00:00:00.000');
insert into `verification_tokens` (`identifier`, `token`, `expires`) values ('percent+tag@example.com', 'token of percent', '2126-01-01 00:00:00.000');
insert into `verification_tokens` (`identifier`, `token`, `expires`) values ('uuid@example.com', 'token of 0d0b9a0e-7f63-4a55-9a5c-6f3f1c1d7a11', '2126-01-01 00:00:00.000');
insert into `authenticators` (`credentialID`, `userId`, `providerAccountId`, `credentialPublicKey`, `counter`, `credentialDeviceType`, `credentialBackedUp`, `transports`, `name`, `lastUsed`, `created`) values ('key of 0d0b9a0e-7f63-4a55-9a5c-6f3f1c1d7a11', '0d0b9a0e-7f63-4a55-9a5c-6f3f1c1d7a11', 'passkey:0d0b9a0e-7f63-4a55-9a5c-6f3f1c1d7a11', 'cHVibGlj', '7', 'multiDevice', '1', 'internal,hybrid', NULL, NULL, '2026-01-02 03:04:05.000');
insert into `authenticators` (`credentialID`, `userId`, `providerAccountId`, `credentialPublicKey`, `counter`, `credentialDeviceType`, `credentialBackedUp`, `transports`, `name`, `lastUsed`, `created`) values ('key of ada', 'ada', 'passkey:ada', 'cHVibGlj', '7', 'multiDevice', '1', 'internal,hybrid', NULL, NULL, '2026-01-02 03:04:05.000');
insert into `authenticators` (`credentialID`, `userId`, `providerAccountId`, `credentialPublicKey`, `counter`, `credentialDeviceType`, `credentialBackedUp`, `transports`, `name`, `lastUsed`, `created`) values ('key of domain', 'domain', 'passkey:domain', 'cHVibGlj', '7', 'multiDevice', '1', 'internal,hybrid', NULL, NULL, '2026-01-02 03:04:05.000');
insert into `authenticators` (`credentialID`, `userId`, `providerAccountId`, `credentialPublicKey`, `counter`, `credentialDeviceType`, `credentialBackedUp`, `transports`, `name`, `lastUsed`, `created`) values ('key of emoji', 'emoji', 'passkey:emoji', 'cHVibGlj', '7', 'multiDevice', '1', 'internal,hybrid', NULL, NULL, '2026-01-02 03:04:05.000');
insert into `authenticators` (`credentialID`, `userId`, `providerAccountId`, `credentialPublicKey`, `counter`, `credentialDeviceType`, `credentialBackedUp`, `transports`, `name`, `lastUsed`, `created`) values ('key of mixed', 'mixed', 'passkey:mixed', 'cHVibGlj', '7', 'multiDevice', '1', 'internal,hybrid', NULL, NULL, '2026-01-02 03:04:05.000');
insert into `authenticators` (`credentialID`, `userId`, `providerAccountId`, `credentialPublicKey`, `counter`, `credentialDeviceType`, `credentialBackedUp`, `transports`, `name`, `lastUsed`, `created`) values ('key of nameless', 'nameless', 'passkey:nameless', 'cHVibGlj', '7', 'multiDevice', '1', 'internal,hybrid', NULL, NULL, '2026-01-02 03:04:05.000');
insert into `authenticators` (`credentialID`, `userId`, `providerAccountId`, `credentialPublicKey`, `counter`, `credentialDeviceType`, `credentialBackedUp`, `transports`, `name`, `lastUsed`, `created`) values ('key of percent', 'percent', 'passkey:percent', 'cHVibGlj', '7', 'multiDevice', '1', 'internal,hybrid', NULL, NULL, '2026-01-02 03:04:05.000');
insert into `authenticators` (`credentialID`, `userId`, `providerAccountId`, `credentialPublicKey`, `counter`, `credentialDeviceType`, `credentialBackedUp`, `transports`, `name`, `lastUsed`, `created`) values ('key of quote', 'quote', 'passkey:quote', 'cHVibGlj', '7', 'multiDevice', '1', 'internal,hybrid', NULL, NULL, '2026-01-02 03:04:05.000');
insert into `factors` (`id`, `userId`, `type`, `secret`, `name`, `lastStep`, `confirmed`, `created`) values ('app of 0d0b9a0e-7f63-4a55-9a5c-6f3f1c1d7a11', '0d0b9a0e-7f63-4a55-9a5c-6f3f1c1d7a11', 'totp', 'sealed', NULL, NULL, '0', '2026-01-02 03:04:05.000');
insert into `factors` (`id`, `userId`, `type`, `secret`, `name`, `lastStep`, `confirmed`, `created`) values ('app of ada', 'ada', 'totp', 'sealed', NULL, NULL, '0', '2026-01-02 03:04:05.000');
insert into `factors` (`id`, `userId`, `type`, `secret`, `name`, `lastStep`, `confirmed`, `created`) values ('app of domain', 'domain', 'totp', 'sealed', NULL, NULL, '0', '2026-01-02 03:04:05.000');
insert into `factors` (`id`, `userId`, `type`, `secret`, `name`, `lastStep`, `confirmed`, `created`) values ('app of emoji', 'emoji', 'totp', 'sealed', NULL, NULL, '0', '2026-01-02 03:04:05.000');
insert into `factors` (`id`, `userId`, `type`, `secret`, `name`, `lastStep`, `confirmed`, `created`) values ('app of mixed', 'mixed', 'totp', 'sealed', NULL, NULL, '0', '2026-01-02 03:04:05.000');
insert into `factors` (`id`, `userId`, `type`, `secret`, `name`, `lastStep`, `confirmed`, `created`) values ('app of nameless', 'nameless', 'totp', 'sealed', NULL, NULL, '0', '2026-01-02 03:04:05.000');
insert into `factors` (`id`, `userId`, `type`, `secret`, `name`, `lastStep`, `confirmed`, `created`) values ('app of percent', 'percent', 'totp', 'sealed', NULL, NULL, '0', '2026-01-02 03:04:05.000');
insert into `factors` (`id`, `userId`, `type`, `secret`, `name`, `lastStep`, `confirmed`, `created`) values ('app of quote', 'quote', 'totp', 'sealed', NULL, NULL, '0', '2026-01-02 03:04:05.000');
insert into `passwords` (`userId`, `hash`, `changed`) values ('0d0b9a0e-7f63-4a55-9a5c-6f3f1c1d7a11', '$scrypt$ln=15,r=8,p=3$SKYRLU9vN2WWD6jISUbfEA$B+a7NkKumkow+pnQQBYPWpFrxMxxh1HczkY185P+/2Y', '2026-01-02 03:04:05.000');
insert into `passwords` (`userId`, `hash`, `changed`) values ('ada', '$scrypt$ln=15,r=8,p=3$meFQ/GfYV8vBdewe4ZkCwQ$zidAt2bKGZ/ncEF75t3mhpoR3oNZMwAy4Btzm8l3Btw', '2026-01-02 03:04:05.000');
insert into `passwords` (`userId`, `hash`, `changed`) values ('domain', '$scrypt$ln=15,r=8,p=3$gKpaA1wlJ7BqkbEDFQW4/Q$8tbnNJQLs0P4FQp3uMeyOSJW/wcmJbd9njTR13FcWHM', '2026-01-02 03:04:05.000');
insert into `passwords` (`userId`, `hash`, `changed`) values ('emoji', '$scrypt$ln=15,r=8,p=3$pQVpwVeT5cRrdwlTNBtUnQ$3BNegC6NMz5DIQ0XtHTZXnqENYBJCcMfy97l6axckds', '2026-01-02 03:04:05.000');
insert into `passwords` (`userId`, `hash`, `changed`) values ('mixed', '$scrypt$ln=15,r=8,p=3$MDHR9bJaPa1kxlBio9Dlew$lnQHXVtiBFL2BAk9HXnXDQ4dWJVxrk46I6fUJIx2KL8', '2026-01-02 03:04:05.000');
insert into `passwords` (`userId`, `hash`, `changed`) values ('nameless', '$scrypt$ln=15,r=8,p=3$OjxMwtOxIZ9b1uTpcaL2SQ$b99/KTVDJscI8K+WuTPMvpHWamLU4pow0DGXqY2rS/M', '2026-01-02 03:04:05.000');
insert into `passwords` (`userId`, `hash`, `changed`) values ('percent', '$scrypt$ln=15,r=8,p=3$XY6UZewQ4T7M+h7xNfsf7w$Qc2DHunYYMDDvKr9VdeSOl50Rjdc01oh16kCKpYjST0', '2026-01-02 03:04:05.000');
insert into `passwords` (`userId`, `hash`, `changed`) values ('quote', '$scrypt$ln=15,r=8,p=3$Gi4+7WyRFKTFfzr7Q8Lxtw$TJeagKYFLQdJ8fubHLalAmB/59MpW6vA2ctIgcbx5/o', '2026-01-02 03:04:05.000');
