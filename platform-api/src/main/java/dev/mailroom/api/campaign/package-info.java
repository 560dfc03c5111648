/** REST endpoints for campaigns. Read {@code CampaignController} first. */
@ApplicationModule(allowedDependencies = { "email", "http" })
@NullMarked
package dev.mailroom.api.campaign;

import org.jspecify.annotations.NullMarked;

import org.springframework.modulith.ApplicationModule;
