/** Catches every mail of people who try Mailroom, and shows it to them. */
@ApplicationModule(allowedDependencies = {})
@NullMarked
package dev.mailroom.standalone.mailbox;

import org.jspecify.annotations.NullMarked;

import org.springframework.modulith.ApplicationModule;
