/**
 * Types that every feature uses: scope, refusals, pages and fair queues. Read
 * {@code Scope} first.
 */
@NullMarked
package dev.mailroom;

import org.jspecify.annotations.NullMarked;
