/** Campaigns. Read {@code CampaignResolver} first. */
@ApplicationModule(allowedDependencies = { "email", "graphql", "template" })
@NullMarked
package dev.mailroom.admin.campaign;

import org.jspecify.annotations.NullMarked;

import org.springframework.modulith.ApplicationModule;
