<#-- Page of shipped dependencies, written by license-maven-plugin in the build of the standalone. -->
# Shipped dependencies
Libraries in the standalone, which holds all three apps. PostgreSQL itself comes as a binary for the machine's platform (PostgreSQL Licence). The page is written by the build; `DependenciesTest` fails when it is out of date.

| library | version | licence |
|---|---|---|
<#list dependencyMap as e>
<#assign p = e.getKey()/>
<#assign licenses = e.getValue()/>
| `${p.groupId}:${p.artifactId}` | ${p.version} | ${licenses?join(", ")} |
</#list>
