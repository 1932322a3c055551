/** Escape hatches: symbols, so that no configuration read from JSON enables them and a text search finds every use. */

/** With `{ raw }` in the configuration, {@link Auth} returns the response in parts and throws. For wrapper authors. */
export const raw: unique symbol = Symbol('lib-auth.raw')

/** Disables the CSRF check: `{ skipCSRFCheck }` in the configuration. For wrappers whose framework has its own check. */
export const skipCSRFCheck: unique symbol = Symbol('lib-auth.skipCSRFCheck')

/**
 * A `fetch` for the requests to one provider: `{ [customFetch]: myFetch }` in its options. The same symbol in every copy
 * of the package, so that a provider from another workspace keeps its `fetch`.
 */
export const customFetch: unique symbol = Symbol.for('lib-auth.customFetch')

/** Allows plain http: `{ [insecureHttp]: true }` in provider options. A network attacker can take over all accounts. */
export const insecureHttp: unique symbol = Symbol('lib-auth.insecureHttp')

/** What the core needs for passkeys, set by the provider: applications without passkeys do not bundle it. */
export const ceremonies: unique symbol = Symbol.for('lib-auth.ceremonies')

/** What the core needs for passwords, set by `Password`: other applications do not bundle it. */
export const passwordSupport: unique symbol = Symbol.for('lib-auth.passwords')

/** Returns the `maxmemory-policy` of the server; a method of the Redis adapter for `lib-auth doctor`. */
export const evictionPolicy: unique symbol = Symbol.for('lib-auth.evictionPolicy')

/** Returns the columns with a maximum length; a method of SQL adapters for `lib-auth doctor`. */
export const columnLimits: unique symbol = Symbol.for('lib-auth.columnLimits')

/** What `lib-auth doctor` inspects: the instance of Kysely, and the options of the adapter for it. */
export const inspectable: unique symbol = Symbol.for('lib-auth.inspectable')

/** Reads `user` of a posted authorization response, which is not signed, into the profile. Set by the Apple provider. */
export const postedUser: unique symbol = Symbol.for('lib-auth.postedUser')

/** Accepts logout tokens without `typ` and `exp`: `{ [untypedLogoutTokens]: true }` in the options of a provider that sends them. */
export const untypedLogoutTokens: unique symbol = Symbol('lib-auth.untypedLogoutTokens')
