import adapter from '@sveltejs/adapter-node'

// The bench signs in without a browser, which would send an Origin header.
export default { kit: { adapter: adapter(), csrf: { trustedOrigins: ['*'] } } }
