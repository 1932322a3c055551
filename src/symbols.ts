/** Escape hatches: symbols, so that no configuration read from JSON enables them and a text search finds every use. */

/**
 * Makes {@link Auth} return the response in parts instead of a `Response`, and throw its errors. For authors of
 * framework wrappers: `{ raw }` in the configuration.
 */
export const raw: unique symbol = Symbol('lib-auth.raw')

/**
 * Disables the CSRF check. For authors of wrappers whose framework has a check of its own: `{ skipCSRFCheck }` in the
 * configuration.
 */
export const skipCSRFCheck: unique symbol = Symbol('lib-auth.skipCSRFCheck')

/** A `fetch` for the requests to one provider: `{ [customFetch]: myFetch }` in its options. */
export const customFetch: unique symbol = Symbol('lib-auth.customFetch')

/**
 * Allows plain http for one provider: `{ [insecureHttp]: true }` in its options. An attacker on the network path can
 * then sign in as any user.
 */
export const insecureHttp: unique symbol = Symbol('lib-auth.insecureHttp')
