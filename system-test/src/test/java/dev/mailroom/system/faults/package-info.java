/**
 * Crash tests: programs are ended at each point of the crash table, and at random under
 * load, and the mail is accounted for afterwards.
 */
@NullMarked
package dev.mailroom.system.faults;

import org.jspecify.annotations.NullMarked;
