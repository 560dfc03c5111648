/** Campaigns: one mail to all subscribed contacts of a contact book. */
@ApplicationModule(allowedDependencies = { "accept", "contact", "domain", "event", "submission", "template" })
@NullMarked
package dev.mailroom.campaign;

import org.jspecify.annotations.NullMarked;

import org.springframework.modulith.ApplicationModule;
