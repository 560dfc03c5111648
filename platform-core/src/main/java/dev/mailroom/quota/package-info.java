/**
 * What a plan allows: how many mails in a day and in a month, exactly, and how far it is
 * used.
 */
@ApplicationModule(allowedDependencies = {})
@NullMarked
package dev.mailroom.quota;

import org.jspecify.annotations.NullMarked;

import org.springframework.modulith.ApplicationModule;
