/**
 * The Model Context Protocol: tools with which a language model uses this API by an API
 * key. {@code McpTools} is the table of tools; read it first.
 */
@ApplicationModule(allowedDependencies = { "docs", "email", "http" })
@NullMarked
package dev.mailroom.api.mcp;

import org.jspecify.annotations.NullMarked;

import org.springframework.modulith.ApplicationModule;
