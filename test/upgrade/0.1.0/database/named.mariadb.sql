create table `users` (
  `id` bigint auto_increment not null,
  `name` mediumtext character set utf8mb4,
  `email` varchar(255) character set utf8mb4 collate utf8mb4_nopad_bin,
  `email_verified` datetime(3),
  `image` mediumtext character set utf8mb4,
  primary key (`id`)
);
create unique index `users_email` on `users` (`email`);
create table `accounts` (
  `provider` varchar(255) character set utf8mb4 collate utf8mb4_nopad_bin not null,
  `provider_account_id` varchar(255) character set utf8mb4 collate utf8mb4_nopad_bin not null,
  `user_id` bigint not null,
  `type` varchar(255) character set utf8mb4 collate utf8mb4_nopad_bin not null,
  `refresh_token` mediumtext character set utf8mb4,
  `access_token` mediumtext character set utf8mb4,
  `expires_at` bigint,
  `token_type` mediumtext character set utf8mb4,
  `scope` mediumtext character set utf8mb4,
  `id_token` mediumtext character set utf8mb4,
  `session_state` mediumtext character set utf8mb4,
  primary key (`provider`, `provider_account_id`),
  foreign key (`user_id`) references `users` (`id`) on delete cascade
);
create index `accounts_user_id` on `accounts` (`user_id`);
create table `sessions` (
  `session_token` varchar(255) character set utf8mb4 collate utf8mb4_nopad_bin not null,
  `user_id` bigint not null,
  `expires` datetime(3) not null,
  primary key (`session_token`),
  foreign key (`user_id`) references `users` (`id`) on delete cascade
);
create index `sessions_user_id` on `sessions` (`user_id`);
create index `sessions_expires` on `sessions` (`expires`);
create table `verification_tokens` (
  `identifier` varchar(255) character set utf8mb4 collate utf8mb4_nopad_bin not null,
  `token` varchar(255) character set utf8mb4 collate utf8mb4_nopad_bin not null,
  `expires` datetime(3) not null,
  primary key (`identifier`, `token`)
);
create index `verification_tokens_expires` on `verification_tokens` (`expires`);
create table `authenticators` (
  `credential_id` varchar(255) character set utf8mb4 collate utf8mb4_nopad_bin not null,
  `user_id` bigint not null,
  `provider_account_id` varchar(255) character set utf8mb4 collate utf8mb4_nopad_bin not null,
  `credential_public_key` mediumtext character set utf8mb4 not null,
  `counter` bigint not null,
  `credential_device_type` varchar(255) character set utf8mb4 collate utf8mb4_nopad_bin not null,
  `credential_backed_up` boolean not null,
  `transports` mediumtext character set utf8mb4,
  `name` mediumtext character set utf8mb4,
  `last_used` datetime(3),
  `created` datetime(3),
  primary key (`credential_id`),
  foreign key (`user_id`) references `users` (`id`) on delete cascade
);
create index `authenticators_user_id` on `authenticators` (`user_id`);
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
  `user_id` bigint not null,
  `type` varchar(255) character set utf8mb4 collate utf8mb4_nopad_bin not null,
  `secret` mediumtext character set utf8mb4 not null,
  `name` mediumtext character set utf8mb4,
  `last_step` bigint,
  `confirmed` boolean not null,
  `created` datetime(3) not null,
  primary key (`id`),
  foreign key (`user_id`) references `users` (`id`) on delete cascade
);
create index `factors_user_id` on `factors` (`user_id`);
create table `passwords` (
  `user_id` bigint not null,
  `hash` mediumtext character set utf8mb4 not null,
  `changed` datetime(3) not null,
  primary key (`user_id`),
  foreign key (`user_id`) references `users` (`id`) on delete cascade
);
insert into `users` (`id`, `name`, `email`, `email_verified`, `image`) values
('1', 'Ada Lovelace', 'ada@example.com', '2026-01-02 03:04:05.000', NULL),
('2', 'Mixed Case', 'Mixed.Case@Example.com', '2026-01-02 03:04:05.000', NULL),
('3', 'Miles O\'Brien; --', 'o\'brien@example.com', NULL, NULL),
('4', '😀 é é', 'emoji@example.com', '2026-01-02 03:04:05.001', NULL),
('5', 'Without address', NULL, NULL, NULL);
insert into `accounts` (`provider`, `provider_account_id`, `user_id`, `type`, `refresh_token`, `access_token`, `expires_at`, `token_type`, `scope`, `id_token`, `session_state`) values
('op', 'op:ada', '1', 'oidc', NULL, NULL, NULL, NULL, NULL, NULL, NULL),
('op', 'op:emoji', '4', 'oidc', NULL, NULL, NULL, NULL, NULL, NULL, NULL),
('op', 'op:mixed', '2', 'oidc', NULL, NULL, NULL, NULL, NULL, NULL, NULL),
('op', 'op:quote', '3', 'oidc', NULL, NULL, NULL, NULL, NULL, NULL, NULL),
('op', 'op:silent', '5', 'oidc', NULL, NULL, NULL, NULL, NULL, NULL, NULL),
('passkey', 'dGhlIHBhc3NrZXkgb2YgYSB1c2Vy', '4', 'webauthn', NULL, NULL, NULL, NULL, NULL, NULL, NULL),
('posted', 'posted:ada', '1', 'oauth', 'sealed \' ada', 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa', '1767323045', NULL, 'openid email', NULL, NULL),
('posted', 'posted:emoji', '4', 'oauth', 'sealed \' emoji', 'a', '1767323045', NULL, 'openid email', NULL, NULL),
('posted', 'posted:mixed', '2', 'oauth', 'sealed \' mixed', 'a', '1767323045', NULL, 'openid email', NULL, NULL),
('posted', 'posted:quote', '3', 'oauth', 'sealed \' quote', 'a', '1767323045', NULL, 'openid email', NULL, NULL),
('posted', 'posted:silent', '5', 'oauth', 'sealed \' silent', 'a', '1767323045', NULL, 'openid email', NULL, NULL),
('sealed', 'sealed:ada', '1', 'oidc', NULL, NULL, NULL, NULL, NULL, NULL, NULL),
('sealed', 'sealed:emoji', '4', 'oidc', NULL, 'lib1.eyJhbGciOiJkaXIiLCJlbmMiOiJBMjU2Q0JDLUhTNTEyIiwia2lkIjoiZ0dveXB0cVloRGFWT1pYeWZZVVQ0cm5PX2JVWTZVbGE1SE1qXzdRU1M4RXhnc0xxNDAzOTgyZ0dUbjlxUGZPR1BSdXNEZS1ackl5ZXhkYV82NWtYdmcifQ..Nw3_XgP8yCmYr9wR0bDlPA.QLD_atyKFMmYG0_47N7Of2UlsIQ8Ll96DnhV2qn-zIrZWSC9u8rzUrWzE8Lw5LCwJpV37PryQyJtnijP_NATaESGB79jgg6VORdo-ko1p8tZMHYiwB70HK8xUmUUF-UQUCwP7l3CI1rJi2tMPwj4bthvX2hr1a0Io_eCeeVFpdqTf55HbTbO1jI0QgipVvoEw89ugkoqQaHuWvZb7bmBmsxI8JW3yvjLdSL18OMVHBQDev4E5DjmvJBbcgLN6npCNCy_RYjhPl5zF9MyeL5ePWbLurl9zu-7NrQW6QEBykJrbrK7YgE2HQ_2nuPYfkzp.A-Aj67yAdyrMtH1OXvqfc4iDLAtaEFRGEIxwx6JMHIM', '2082683045', 'bearer', 'openid profile email', 'lib1.eyJhbGciOiJkaXIiLCJlbmMiOiJBMjU2Q0JDLUhTNTEyIiwia2lkIjoiZ0dveXB0cVloRGFWT1pYeWZZVVQ0cm5PX2JVWTZVbGE1SE1qXzdRU1M4RXhnc0xxNDAzOTgyZ0dUbjlxUGZPR1BSdXNEZS1ackl5ZXhkYV82NWtYdmcifQ..6-LXf7IjFBQ0CaoD-tT70A.J_vnCYSh9q021MXEjxqM7VxtgrTRM9DlJ3x06onJ4bjt06ZVgzjr6_U3qSE4OtJTmvmwTph4fjhpCmgBMhEsDfF2HRXQwLlOUtqtLued0r2y0dV_ODWw7VCu-_YccdKeSGsFpNpZHm5MouLvnWoWgM4xwsVtzZsPtNxW8ViNssPSe18nwkI9XxFwG9pw_eU7fAuK5WWWbz7IGCH-LF4Ri7UkrkRLrOTrbJNP1xrsz66c0fliAag4cfhwtSCTTgCP1P0mOSOS_e0H7rfpitStZUxrBjrDWzz2oOYsE1XzBE0Gjmcgg9Xg8JxDYLtRQvvNYGKnEA9CkcIC2Ed4uBtslgWm3PBMZxj5uFN_zvyaRaUtqtP-3E_q0zhnRBqnhg7YZTYgjdZma58fFhKsmUO9MP00-RusnW4zsdA3vQpCHYV5uyQ4urIo4UfH6Pb5cmrByU0yFLvVfqDqfzD2gCYRJa79z2fdH3Vg9csWb4OVgJL5UQhoHLN5nDYjQqYxQsRtG-qvmxgr86AGRKC1uxXttxpLFMpj3CHgvnXH1RF49BdhY3XMrKbqS3GeIp7MNoqSH0ItZ2qg12DKPpsMdbWcyDTk25wCIC-JdxHe6pNxBm2yUr1sZdsQMCAlcQnhvqyMBiAR8-pDkvjAQ-bvMABHHJ8eKb1f1uq1qu8JIpzNglO3t8Rxavkmq1MbeUK4hS0lV0IT8kyT96fK3XY3TOzs3Q.Wc91YWBZ7DH8Z5OAPSrIvjIeyh9rNeupy3lEefyE8eM', NULL),
('sealed', 'sealed:mixed', '2', 'oidc', NULL, NULL, NULL, NULL, NULL, NULL, NULL),
('sealed', 'sealed:quote', '3', 'oidc', NULL, NULL, NULL, NULL, NULL, NULL, NULL),
('sealed', 'sealed:silent', '5', 'oidc', NULL, NULL, NULL, NULL, NULL, NULL, NULL);
insert into `sessions` (`session_token`, `user_id`, `expires`) values
('old of ada', '1', '2026-01-02 03:04:04.999'),
('old of emoji', '4', '2026-01-02 03:04:04.999'),
('old of mixed', '2', '2026-01-02 03:04:04.999'),
('old of quote', '3', '2026-01-02 03:04:04.999'),
('old of silent', '5', '2026-01-02 03:04:04.999'),
('session of ada', '1', '2126-01-01 00:00:00.000'),
('session of emoji', '4', '2126-01-01 00:00:00.000'),
('session of mixed', '2', '2126-01-01 00:00:00.000'),
('session of quote', '3', '2126-01-01 00:00:00.000'),
('session of silent', '5', '2126-01-01 00:00:00.000'),
('sha256:e273f2232b6a3824f3ff0a7535187d11235d4d677025a054b0b0fdc4e2d8b0c9', '4', '2125-12-09 03:04:05.000');
insert into `verification_tokens` (`identifier`, `token`, `expires`) values
('Mixed.Case@Example.com', 'token of mixed', '2126-01-01 00:00:00.000'),
('ada@example.com', 'token of ada', '2126-01-01 00:00:00.000'),
('emoji@example.com', '021ca8e1b3a7346f99ec62899cb72f2d81c0568b65122e4278137e7f7cf3beaa', '2125-12-09 03:04:05.000'),
('emoji@example.com', 'token of emoji', '2126-01-01 00:00:00.000'),
('o\'brien@example.com', 'token of quote', '2126-01-01 00:00:00.000');
insert into `authenticators` (`credential_id`, `user_id`, `provider_account_id`, `credential_public_key`, `counter`, `credential_device_type`, `credential_backed_up`, `transports`, `name`, `last_used`, `created`) values
('dGhlIHBhc3NrZXkgb2YgYSB1c2Vy', '4', 'dGhlIHBhc3NrZXkgb2YgYSB1c2Vy', 'pQECAyYgASFYIATWXf94U5HoHdZi0zzYm6A+94xF+YdRXkyIE4iSLP9HIlgg3rcmirR1MzEVSwN/1+bxzEu9m9BZsUkB8oxyVnP4Mbk=', '1', 'singleDevice', '0', 'hybrid,internal', NULL, NULL, '2026-01-02 03:04:05.000'),
('key of ada', '1', 'passkey:ada', 'cHVibGlj', '7', 'multiDevice', '1', 'internal,hybrid', NULL, NULL, '2026-01-02 03:04:05.000'),
('key of emoji', '4', 'passkey:emoji', 'cHVibGlj', '7', 'multiDevice', '1', 'internal,hybrid', NULL, NULL, '2026-01-02 03:04:05.000'),
('key of mixed', '2', 'passkey:mixed', 'cHVibGlj', '7', 'multiDevice', '1', 'internal,hybrid', NULL, NULL, '2026-01-02 03:04:05.000'),
('key of quote', '3', 'passkey:quote', 'cHVibGlj', '7', 'multiDevice', '1', 'internal,hybrid', NULL, NULL, '2026-01-02 03:04:05.000'),
('key of silent', '5', 'passkey:silent', 'cHVibGlj', '7', 'multiDevice', '1', 'internal,hybrid', NULL, NULL, '2026-01-02 03:04:05.000');
insert into `records` (`key`, `value`, `owner`, `expires`) values
('challenge:8feca183e9df5bc5feda42a1a13a703d4431433af4c8432c02f2b35367105f3f', '', NULL, '2026-01-02 03:10:20.000'),
('ended:YvSrIf0YUCMu6z6zSfLNnM3b3FFVeSca5tm2ify_l9Q', '1', NULL, '2125-12-09 03:06:05.000'),
('forgotten:SyJ3d9TdH8Ycb4hPSGQdAr', '1767323165000', NULL, '2026-07-01 03:06:05.000'),
('limit:known:f29ac594ef093e3cd30d8b96a0b89738', '1767340325000', NULL, '2026-01-02 07:52:05.000'),
('limit:mail.hosts:5f0278386b1c7cffaa6b323e010eafab', '1767323345000', NULL, '2026-01-02 03:09:05.000'),
('limit:mail:1e0d207fdd27f3862a564c3b6dde8e56', '1767323345000', NULL, '2026-01-02 03:09:05.000'),
('limit:notice:58fc2ba56349cb0e26cc55f3de47c613', '1767323405000', NULL, '2026-01-02 03:10:05.000'),
('limit:password.account:ce3c482c6b259593c3cd6f53d2721213:no-address', '1767323135000', NULL, '2026-01-02 03:05:35.000'),
('limit:password.account:e569ea01f6721e49d95f6be8b82f6545:no-address', '1767323045000', NULL, '2026-01-02 03:04:05.000'),
('limit:password.day:ce3c482c6b259593c3cd6f53d2721213', '1767323909000', NULL, '2026-01-02 03:18:29.000'),
('limit:password.day:e569ea01f6721e49d95f6be8b82f6545', '1767323045000', NULL, '2026-01-02 03:04:05.000'),
('limit:password.hosts:0a090cff2f2b89e0e99aa2f418c8616d', '1767323045000', NULL, '2026-01-02 03:04:05.000'),
('limit:password.hosts:ea5bc26122a2921d9d4ccab09862dab0', '1767323131400', NULL, '2026-01-02 03:05:31.400'),
('links:wlzusgIkJn1NCeawf0E9oFIZxfon1aViN9Mnb4x_gPI', '{"021ca8e1b3a7346f99ec62899cb72f2d81c0568b65122e4278137e7f7cf3beaa":4920923045000}', NULL, '2125-12-09 03:04:05.000');
insert into `factors` (`id`, `user_id`, `type`, `secret`, `name`, `last_step`, `confirmed`, `created`) values
('18786a8c-c53b-4b8e-8fcf-d9215e64aa19', '4', 'recovery', '965a6390028124c7048a0b316e197d73d241fcd172787c49512358de92350f35', NULL, NULL, '1', '2026-01-02 03:04:05.000'),
('230148ca-5855-4c01-8601-cc5364c4bf4c', '4', 'recovery', '882f369fbb34b7719c68461bed1c68f22c9824002e077bdb6bd4c7311109abe0', NULL, NULL, '1', '2026-01-02 03:04:05.000'),
('2693d780-ca08-40fd-b4fc-42547f0a1d2d', '4', 'recovery', '430d1c2add6cb0f58b9c2fb925b60c89b90326323d9a75567d8942f1377321dd', NULL, NULL, '1', '2026-01-02 03:04:05.000'),
('4536cac7-b919-4131-88e7-c758aebfa726', '4', 'recovery', '83e92a3a005b7c9aa680d2eb7664a24ccb1d1bf2ece8b6b8db69937cc1c4a300', NULL, NULL, '1', '2026-01-02 03:04:05.000'),
('650ac17f-6bef-42d2-92da-9c872c66b3e0', '4', 'recovery', '8152cc974912680915f04257276c2a13596aafc0dbf24cab24bd5eb172464e2f', NULL, NULL, '1', '2026-01-02 03:04:05.000'),
('77a0a510-6628-4343-bfae-ff217e52a1a5', '4', 'recovery', '7ce2016f697f88f74493b180d9b69f2419da5cfd6453359fd0852f9972e65d0c', NULL, NULL, '1', '2026-01-02 03:04:05.000'),
('94d9d2b9-279e-48e4-9c9b-2703368c6c6d', '4', 'totp', 'eyJhbGciOiJkaXIiLCJlbmMiOiJBMjU2Q0JDLUhTNTEyIiwia2lkIjoiVnVfVldxREhtbWFENUVWeHpNUC1QSmV4VDVDYkVKQ1ZUZEtVblpRMkdDMEIxWlRXbDVEUXpaVnpHRHdROTE5alRRMXJOUzdnbGptMDAwZTkzUFhNRUEifQ..QHzuhRYkpFVidHd5AHQ-vA.NwClX7D8Nhsl4QD_eei2srWv-RoO7uxeg3VA-K1JP9EOEE7TblEdYznx91XrZrttC_XKRU96bQgQobmhSgnkT21NGveQ8VsOAS0xp86Kz27j6qboK6QWPXAAvx8MeUKwu0aUc7peJSufuN_rPKJy1wT3cah1DaPTftP_6R384n2PUU3pz2QHfioqZwGc6FCtmym0gD5ZhzKaFATtNtPoIw.N_KeXF3HlK8GcMiRR1AqhJe40z4KRY_Et2IY4BElfDw', NULL, '58910767', '1', '2026-01-02 03:04:05.000'),
('app of ada', '1', 'totp', 'sealed', NULL, NULL, '0', '2026-01-02 03:04:05.000'),
('app of emoji', '4', 'totp', 'sealed', NULL, NULL, '0', '2026-01-02 03:04:05.000'),
('app of mixed', '2', 'totp', 'sealed', NULL, NULL, '0', '2026-01-02 03:04:05.000'),
('app of quote', '3', 'totp', 'sealed', NULL, NULL, '0', '2026-01-02 03:04:05.000'),
('app of silent', '5', 'totp', 'sealed', NULL, NULL, '0', '2026-01-02 03:04:05.000'),
('c0408db2-7934-4a6f-af70-2543f5611230', '4', 'recovery', '458831587640e6fe120ac75bbe627f8742536582c53f8850753c4cad0184b8a0', NULL, NULL, '1', '2026-01-02 03:04:05.000'),
('c2477b50-2f81-4f09-911e-05671019e1e2', '4', 'recovery', '498360e9313dbe33df8c499d112adf1378109c26d3c1a5bd22c7334ffdfa9580', NULL, NULL, '1', '2026-01-02 03:04:05.000'),
('e1fa54c1-71eb-41c8-b255-ddfe1756b5fc', '4', 'recovery', '17f38e7319a026fdf1ca42a50ccd8ce6bf0b21f2a609ba17061d2ba0de52a990', NULL, NULL, '1', '2026-01-02 03:04:05.000'),
('ea68019d-3ca4-4a66-a47b-e9d0dd04dcef', '4', 'recovery', 'df612d787d7fb1a6a222120d4771298ce50dbc226962adafd3fc706b178282d7', NULL, NULL, '1', '2026-01-02 03:04:05.000');
insert into `passwords` (`user_id`, `hash`, `changed`) values
('1', '$scrypt$ln=15,r=8,p=3$bBNwA96UuU11dfMM9CnYrQ$MwcoYOPorfkzAjBfBHjugfIDP+YZl0N6HIlfKyjjf+A', '2026-01-02 03:04:05.000'),
('2', '$scrypt$ln=15,r=8,p=3$GFHWsVWmyiPQt9pKhZQ5gw$8sPn0LIR8hPoQiqM+rIDlXAYT8zkYCLm9MOJSaTJtx0', '2026-01-02 03:04:05.000'),
('3', '$scrypt$ln=15,r=8,p=3$jrea2nkpqoiZKs3js3GEwg$cEeeHc/iC4/u9nmKjZXNoNDCHZpsV6Ph4QGUZ5ppDm4', '2026-01-02 03:04:05.000'),
('4', '$scrypt$ln=15,r=8,p=3$zUn5BtRI9X/XW30c35EuDw$OZkoLMgY0xel6gGabqFpC3dcXatwt397u2yoT1D1MN4', '2026-01-02 03:04:05.000'),
('5', '$scrypt$ln=15,r=8,p=3$aiXf9liFSYvStJ5VwSIm2A$sjZ3lUnKuzgeC922VODVLEreMHRlDpbCWiB51YayJHs', '2026-01-02 03:04:05.000');
