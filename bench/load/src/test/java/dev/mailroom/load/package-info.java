/**
 * Load tests of a running installation with Gatling. A simulation creates its tenants,
 * sends the load, and finally compares the number of mails it knows to be accepted with
 * the server's own lists. The command and all simulations are in docs/performance.md.
 */
@NullMarked
package dev.mailroom.load;

import org.jspecify.annotations.NullMarked;
