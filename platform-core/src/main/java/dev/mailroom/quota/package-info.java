/** How many mails a plan lets an account send in a day and in a month, exactly. */
@ApplicationModule(allowedDependencies = {})
@NullMarked
package dev.mailroom.quota;

import org.jspecify.annotations.NullMarked;

import org.springframework.modulith.ApplicationModule;
