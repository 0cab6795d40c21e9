/** Below the ports of outgoing connections and of embedded databases, so that no other process takes a service's port while it restarts. */
export const servicePorts = { from: 10_000, below: 19_000 }
