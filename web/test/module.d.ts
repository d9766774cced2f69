// the module has its own types, checked with it; scenes take it as it comes
declare module "bristle";
declare module "bristle/yaml.js";
